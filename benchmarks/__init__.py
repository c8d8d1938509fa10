"""How fast Rowbook is, measured: each module is a command, `python -m benchmarks.close --help`."""
