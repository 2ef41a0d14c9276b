"""Tables in Telegram: groups, topics and private chats, on python-telegram-bot.

app.py      the Application: handlers, start, stop      updates.py  what came in, as a verb with its arguments
desk.py     what every part shares                      presses.py  buttons
lines.py    typed commands and amounts                  sending.py  the send queue
pulse.py    whether Telegram can be reached             painting.py pictures on their way
tables.py   one message a table, kept as it is now      drawing.py  screens as captions and keyboards
private.py  what one person alone is told               places.py   chats, topics, setup, removal, migration
rounds.py   the rounds of a hand                        nudges.py   who is waited for, and told so
menus.py    command menus by scope and language         serving.py  run it in a house: polling or webhook
"""

from bot.on_telegram.app import configure

__all__ = ["configure"]
