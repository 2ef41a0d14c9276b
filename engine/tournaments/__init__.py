"""Tournaments as a pure function of a definition, a seed and events (TN).

definition.py  settings, levels, prize tables
positions.py   button, blinds and dealt-in seats of a table's next hand
tables.py      tables, seats, and the draws that seat, break and balance
play.py        a tournament with its events: entries, hands, levels, eliminations
payouts.py     ranking, prizes, ties, abandoned tournaments
record.py      the answer of `ridotto replay-tournament`
"""
