"""The lounge: one page for every game, drawn on the server, and what machines ask of the house.

app.py          the addresses, what stands in every answer    door.py         where it listens, and how it closes
lounge.py       what every page shares: who is visiting       drawing.py      templates to HTML
connections.py  how many at once, and how long each           askers.py       who asks, and what bodies hold
sessions.py     browsers, cookies, who is signed in           account.py      the way back, signing out
password.py     the one password of a public address          guesses.py      secrets that are slow to guess
pages.py        sign in, lobby, histories, rules              table.py        a table as one player sees it
live.py         what changed, pushed to open pages            press.py        what is pressed or typed
audiences.py    what everybody sees, drawn once              views.py        what one page shows, and what changed
frost.py        open pages and the collector of garbage       courses.py      what happened at a table, numbered
share.py        a table for who is not here                   kept.py         what a browser keeps for good
figures.py      statistics, the jackpot                       plots.py        their plots
operator.py     the inspectors' page                          operator_link.py  who becomes the first of them
monitoring.py   /healthz and /metrics                         decks.py        every deck, for the verifier
"""
