"""The lowest Spark layer: names of columns, errors raised inside a plan."""
