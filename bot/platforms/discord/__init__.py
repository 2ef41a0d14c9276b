"""Tables in a Discord server: a public message for each table, private answers to presses, slash commands for
everything.

platform.py      the platform, opened at start              bot.py       the client: reconnects, registers, gets events
commands.py  slash commands made from the registry      options.py   their arguments and suggestions
presses.py   buttons, selects, modals                   codes.py     their custom ids
answers.py   a command from the click to the answer     panels.py    private answers that follow the hand
tables.py    the table messages                         posts.py     a message that is edited or posted anew
drawing.py   screens as Discord components              components.py  as JSON
places.py    servers that come and go                   boards.py    the meter in the jackpot channel
context.py   the platform context                       connectivity.py connectivity of Discord
turn_mentions.py  turn mentions                         calls.py     the rate limiter of the bot
trouble.py   errors on the way to Discord               permissions.py  rights of the bot, and missing ones
lengths.py   lengths of texts                           emojis.py    the cards in lines of text
setup.py     /setup and its panel
"""
