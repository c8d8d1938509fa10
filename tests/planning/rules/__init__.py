"""What breaks the seeds' rules, by operation."""
