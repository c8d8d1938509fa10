"""The expression language: text → unbound tree → bound, typed tree. No YAML, no Spark."""
