"""Tables in Telegram: groups, topics and private chats, on python-telegram-bot.

platform.py      polling, or a webhook                      app.py      the Application: handlers, start, stop
http.py      HTTP requests to Telegram                  intake.py   acknowledges updates when they are done
context.py   the platform context                       updates.py  fields of updates
presses.py   buttons                                    lines.py    typed commands and amounts
late.py      deferred updates, kept in the store        private.py  private answers
unread.py    answers behind a button of a group         ephemeral.py  messages that one member of a group sees
hands.py     hands in direct messages                   whispered_hands.py  hands in ephemeral messages
tables.py    the table messages                         connectivity.py connectivity of Telegram
drawing.py   screens as captions and keyboards          saying.py   sentences in which no name is a link
messages.py  text, buttons and picture of a message     sending.py  the send queue
turn_mentions.py  turn mentions                         menus.py    command menus by scope and language
places.py    chats, topics, removal, migration          lengths.py  lengths of texts
setup.py     /setup, missing rights, its panel
"""

from bot.platforms.telegram.app import configure

__all__ = ["configure"]
