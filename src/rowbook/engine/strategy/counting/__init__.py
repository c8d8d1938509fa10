"""Where rows are counted for the ledger."""
