"""Commands that are ended from outside. Neither is a failure: both are Ctrl-C to whoever does not
care."""

from __future__ import annotations


class TerminationError(KeyboardInterrupt):
    """The process was asked to end (SIGTERM), by the system rather than by who started it."""


class RunInterruptedError(KeyboardInterrupt):
    """A run was ended; its text says what it had done by then, and what to do."""
