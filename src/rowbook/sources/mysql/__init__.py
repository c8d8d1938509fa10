"""Tables of a MySQL or MariaDB database."""
