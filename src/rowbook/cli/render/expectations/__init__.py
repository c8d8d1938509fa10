"""What became of expectations: as tables on the terminal, and as JUnit XML."""
