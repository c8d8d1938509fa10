"""A project, what it refers to and a period become a Plan; every compile-time check."""
