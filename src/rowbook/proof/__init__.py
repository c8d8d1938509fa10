"""What a run did to each row, and what its figures are made of: its plan followed once more."""
