"""What lineage servers are told of runs, where the user has one."""
