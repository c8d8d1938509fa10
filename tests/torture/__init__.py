"""A machine that disturbs runs in every way it knows, by one seed, and says what must hold."""
