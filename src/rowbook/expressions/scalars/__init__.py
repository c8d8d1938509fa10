"""What each operator and scalar function makes of values that are not NULL: one row in `table`.

Their docstrings say what the language decides at the edges; the engine must decide the same.
"""
