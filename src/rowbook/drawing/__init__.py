"""Plans for people: in words, as a picture, as a page."""
