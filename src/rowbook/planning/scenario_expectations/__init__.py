"""What a scenario may say of expectations."""
