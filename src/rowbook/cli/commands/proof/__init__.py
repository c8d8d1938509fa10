"""Commands that prove what runs did."""
