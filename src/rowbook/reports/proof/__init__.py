"""Pages that prove what runs did: without scripts, and with nothing from elsewhere."""
