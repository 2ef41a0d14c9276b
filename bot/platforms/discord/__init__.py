"""Tables in a Discord server: a public message a table, private answers to who presses, slash commands for everything.

door.py      what the house opens                       bot.py       the client: reconnects, registers, is told
commands.py  slash commands made from the registry      options.py   what their arguments are, and suggestions
presses.py   buttons, selects, modals                   codes.py     what comes back of them
answers.py   a command from the click to the answer     panels.py    private answers that follow the hand
tables.py    the writer of each table message           posts.py     a message that is edited or posted anew
drawing.py   screens as Discord components              components.py  as JSON
places.py    servers that come and go                   boards.py    the meter in the jackpot channel
desk.py      what every part shares                     line.py      whether Discord can be reached
nudges.py    mentions of who is waited for              calls.py     one budget for all calls of the bot
trouble.py   what may go wrong on the way               permissions.py  what it may do, and what is missing
lengths.py   how long what is said may be               emojis.py    the cards in lines of text
setup.py     /setup and its panel
"""
