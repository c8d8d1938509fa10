"""Expectations of a run: judged before it publishes, waived, compared with earlier periods."""
