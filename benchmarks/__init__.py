"""Benchmarks of the casino, which write docs/benchmarks.md: `make bench`, or `python -m benchmarks [NAME...]`.

engine.py     ranks of cards                    platforms.py   a whole casino, and people who press on each platform
hands.py      whole rounds, and the coach       restart.py     memory and start, backup and doctor
peers.py      the same by pokerkit              tables.py      stores with ten thousand tables
commands.py   commands on disk                  growth.py      the cost of a command in larger casinos
press.py      a press in our own code           large_books.py stores with a long past
"""
