"""Taking times: turns, fresh processes, peak memory, the machine, tables and charts."""
