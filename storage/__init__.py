"""Memory: SQLite through sqlite-utils. Knows accounts and rows, not games."""
