"""Definition files: YAML with positions, typed models, JSON Schema."""
