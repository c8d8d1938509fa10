"""Tables of the catalog of a Spark session (Hive, Glue, Unity), read by their names."""
