"""What Iceberg says when it refuses something, in one line."""

from __future__ import annotations

from rowbook.spark.causes import innermost_cause, is_spark_failure

_ICEBERG = "org.apache.iceberg."


def refusal_in(error: BaseException) -> str | None:
    """None where the error is not Iceberg's, but that of computing rows."""
    if not is_spark_failure(error):
        return None
    cause = innermost_cause(error)
    return cause.text if cause.kind.startswith(_ICEBERG) else None
