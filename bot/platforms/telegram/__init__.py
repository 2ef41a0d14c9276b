"""Tables in Telegram: groups, topics and private chats, on python-telegram-bot.

door.py      polling, or a webhook                      app.py      the Application: handlers, start, stop
http.py      the way to Telegram                        intake.py   an update is done, then acknowledged
desk.py      what every part shares                     updates.py  what came in
presses.py   buttons                                    lines.py    typed commands and amounts
late.py      what takes long, put by in the books       private.py  answers for one person alone
unread.py    answers behind a button of a group         ephemeral.py  messages that one member of a group sees
hands.py     hands in direct messages                   whispered_hands.py  hands in ephemeral messages
tables.py    one message a table, kept as it is now     pulse.py    whether Telegram can be reached
drawing.py   screens as captions and keyboards          saying.py   sentences in which no name is a link
messages.py  words, buttons, picture on their way       sending.py  the send queue
nudges.py    who is waited for, and told so             menus.py    command menus by scope and language
places.py    chats, topics, removal, migration          lengths.py  how long what is said may be
setup.py     /setup, what a group denies, its panel
"""

from bot.platforms.telegram.app import configure

__all__ = ["configure"]
