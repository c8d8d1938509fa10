"""The parts of the generated documentation: one module a page, and what the pages are made from."""
