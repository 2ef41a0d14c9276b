"""What inspectors do: tables, voids, bans, adjustments, and what an auditor is handed."""
