"""From data to definitions: what a file or a table holds, proposed as YAML with the evidence."""
