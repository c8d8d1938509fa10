"""YAML with positions and limits."""
