"""What became of expectations: observed by an engine, judged once for both."""
