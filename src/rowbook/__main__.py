"""`python -m rowbook` is the command `rowbook`."""

from rowbook.cli.app import main

main()
