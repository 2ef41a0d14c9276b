"""Benchmarks of the casino, which write docs/benchmarks.md: `make bench`, or `python -m benchmarks [NAME...]`.

engine.py     ranks of cards                    platforms.py   a whole casino, and people who press on each platform
hands.py      whole rounds of each game         tables.py      memory and start with ten thousand tables
peers.py      the same by pokerkit              restart.py     the pause when a casino starts again
commands.py   commands on disk                  growth.py      the cost of a command in larger casinos
press.py      a press in our own code           large_books.py stores with a long past
"""
