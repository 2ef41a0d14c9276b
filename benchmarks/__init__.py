"""Measure how fast the house is, and write docs/benchmarks.md: `make bench`, or `python -m benchmarks [NAME...]`.

engine.py     ranks of cards                    platforms.py   a whole house, and people who press on each platform
hands.py      whole rounds of each game         tables.py      memory and start with ten thousand tables
peers/        the same by other libraries       restart.py     how long a house is silent when it starts again
commands.py   commands on disk                  growth.py      what a command costs in larger houses
press.py      a press in our own code           large_books.py books with a long past
"""
