"""Where data may be: the boundary, options of formats, database URLs, identifiers."""
