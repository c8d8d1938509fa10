"""Which settings of a workspace reach beyond it, and which of them the user has agreed to."""
