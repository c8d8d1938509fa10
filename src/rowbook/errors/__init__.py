"""Diagnostics: what is wrong, where, and what to do. The codes are in `codes`."""

from rowbook.errors.diagnostic import Diagnostic as Diagnostic
from rowbook.errors.diagnostic import OperationRef as OperationRef
from rowbook.errors.diagnostic import Position as Position
from rowbook.errors.diagnostic import RowbookError as RowbookError
from rowbook.errors.diagnostic import Severity as Severity
from rowbook.errors.diagnostic import Snippet as Snippet
from rowbook.errors.diagnostic import did_you_mean as did_you_mean
from rowbook.errors.diagnostic import in_order as in_order
from rowbook.errors.diagnostic import listing as listing
from rowbook.errors.diagnostic import reason as reason
from rowbook.errors.diagnostic import suggestion as suggestion
