"""Definitions as they are proposed: as text, checked."""
