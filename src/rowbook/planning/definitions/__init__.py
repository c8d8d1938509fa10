"""What planning asks for, and who answers: the workspace's files, or recorded definitions."""
