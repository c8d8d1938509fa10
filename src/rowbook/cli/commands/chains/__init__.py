"""What `run` and `plan` do with `--upstream` and `--all`."""
