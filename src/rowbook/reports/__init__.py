"""The report of a run: one page that stands for itself, for people who check and sign."""
