"""From a saved rule to its effect: what a save changed, checked and computed at once."""
