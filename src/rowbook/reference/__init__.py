"""What a plan means, on plain rows: every operation said a second time, without Spark."""
