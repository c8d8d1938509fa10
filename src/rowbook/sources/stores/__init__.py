"""Object stores: what is asked of one, objects as files, and how Spark reaches them."""
