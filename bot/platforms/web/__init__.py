"""The lounge: one page for every game, rendered on the server, and endpoints for monitoring.

app.py          the routes, and headers of every answer       platform.py         listening and closing
lounge.py       common to all pages: who is visiting          drawing.py      templates to HTML
connections.py  limits of connections and time                clients.py       client addresses, request bodies
sessions.py     browsers, cookies, who is signed in           account.py      recovery phrase, signing out
password.py     the password of a public address              password_throttle.py      throttling of guessed secrets
pages.py        sign in, lobby, histories, rules              table.py        a table as one player sees it
live.py         pushes changes to open pages                  press.py        presses and typed commands
audiences.py    the public view, drawn once                   views.py        a page's content and its changes
gc_freeze.py        open pages and the garbage collector          timelines.py      numbered events of a table
share.py        a table for people elsewhere                  kept.py         files that browsers cache for good
figures.py      statistics, the jackpot                       plots.py        their plots
operator.py     the inspectors' page                          operator_link.py  appoints the first inspector
monitoring.py   /healthz and /metrics                         decks.py        every deck, for the verifier
"""
