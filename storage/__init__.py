"""Storage: accounts and rows in SQLite, through sqlite-utils, or on a PostgreSQL server. Knows no games."""
