"""Access to a beacon: rounds of a drand chain, fetched from relays and checked before anything uses them.

chain.py      which chain it is, and its key                 rounds.py    what an answer must be to be a round
relays.py     who is asked, in turn, and who is left alone   follow.py    newest and wanted rounds, while it is open

Imported only with the setting RIDOTTO_BEACON.
"""
