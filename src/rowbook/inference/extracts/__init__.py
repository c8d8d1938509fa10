"""Files and tables to look at: where they are, how they are written, their rows."""
