"""Tables in Telegram: groups, topics and private chats, on python-telegram-bot.

app.py      the Application: handlers, start, stop      updates.py  what came in, as a verb with its arguments
desk.py     what every part shares                      presses.py  buttons
lines.py    typed commands and amounts                  sending.py  the send queue
tables.py   one message a table, kept as it is now      drawing.py  screens as captions and keyboards
private.py  what one person alone is told               places.py   chats, topics, setup, removal, migration
menus.py    command menus by scope and language         webhook.py  updates through the house's own web server
"""

from bot.on_telegram.app import configure

__all__ = ["configure"]
