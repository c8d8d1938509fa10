"""Where the columns of outputs come from, by the plan alone."""
