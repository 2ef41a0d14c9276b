"""Commands of inspectors: tables, voids, bans, adjustments, and the auditor's export."""
