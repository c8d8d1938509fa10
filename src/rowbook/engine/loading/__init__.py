"""Source rows mapped, checked, converted and filtered."""
