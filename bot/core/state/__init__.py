"""State of the casino: casinos, people, tables, clocks, as frozen values."""
