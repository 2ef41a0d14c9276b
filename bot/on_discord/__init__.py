"""Tables in a Discord server: a public message a table, private answers to who presses, slash commands for everything.

bot.py       the client: starts, reconnects, registers      places.py    servers that come and go, /setup
commands.py  slash commands made from the registry          options.py   what their arguments are, and suggestions
presses.py   buttons, selects, modals                       codes.py     what a button carries
answers.py   a command from the click to the answer         panels.py    private answers that follow the hand
tables.py    the writer of each table message               newest.py    newest state only, one send at a time
drawing.py   screens as Discord components                  nudges.py    mentions of who is waited for
line.py      whether Discord can be reached                 boards.py    the meter in the jackpot channel
"""
