"""Where figures come from, printed."""
