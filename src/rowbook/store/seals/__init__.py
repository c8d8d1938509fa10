"""Seals: a chain of digests over what the store records, by which a change behind Rowbook's back is
found. For others it is `Store.seals`: `head`, `of_run`, `record_verification` (`seal_chain`)."""
