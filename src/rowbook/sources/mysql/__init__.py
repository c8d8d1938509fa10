"""Tables of a MySQL or MariaDB database. Whichever module comes first, the client is there."""

from __future__ import annotations

import importlib.util

from rowbook.errors import RowbookError

if importlib.util.find_spec("pymysql") is None:
    raise RowbookError.of(
        "DATASOURCE_008",
        "MySQL and MariaDB need the Python package PyMySQL, which is not installed",
        hint="pip install 'rowbook[mysql]'",
    )
