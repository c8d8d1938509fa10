"""What a call is refused with: exactly one diagnostic."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rowbook.errors import Diagnostic, RowbookError


def refusal(call: Callable[[], object], code: str | None = None) -> Diagnostic:
    """The only diagnostic that a call is refused with; of this code, where one is given."""
    with pytest.raises(RowbookError) as caught:
        call()
    (diagnostic,) = caught.value.diagnostics
    assert code in (None, diagnostic.code)
    return diagnostic
