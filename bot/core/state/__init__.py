"""What the house knows: casinos, people, tables, clocks, as frozen values."""
