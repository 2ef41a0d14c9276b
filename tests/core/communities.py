"""Discord servers and Telegram groups in a test: places with casinos of their own, and their people."""

from bot.core.casinos.places import internal_command_of
from bot.core.commands.command import Who
from bot.core.handle import Batch
from bot.core.players import linking
from bot.core.state.place import Place
from bot.core.state.transaction import Transaction

DAY_S = 86400


def internal_command(house, at, verb, *args):
    """Submit an internal command of a platform."""
    house.keys += 1
    return house.batch([internal_command_of(f"errand {house.keys}", _place(at), verb, *args)])[0]


def found(house, at, game=None):
    """Found a community with its own casino, whose inspector opens a table; return the number of the casino."""
    internal_command(house, at, "arrive", at, "en")
    if game:
        assert not do(house, f"insp table open {game}", at).refused
    return casino_at(house, at)


def command(house, line, at, *, sure=False, fresh="", inspector=None):
    """Return a command at "PLATFORM:ADDRESS"; the first word of the line names the account on that platform."""
    made, place = house.command(line, sure=sure, fresh=fresh), _place(at)
    name = made.who.name
    inspects = name.startswith("insp") if inspector is None else inspector
    return made._replace(who=Who(place.platform, name, name, "en", inspects), place=place)


def do(house, line, at, **more):
    return house.batch([command(house, line, at, **more)])[0]


def says(house, line, at, **more):
    return " | ".join(map(str, do(house, line, at, **more).texts))


def link(house, one, other):
    """Link two accounts such as `anna@discord:1` and `anna@telegram:1`; return the last answer."""
    (name, at), (second, there) = one.split("@"), other.split("@")
    code = says(house, f"{name} link", at).split()[3].rstrip(".")
    return do(house, f"{second} link {code}", there, sure=True)


def unlink(house, who):
    """Unlink after the least duration of a link; return the last answer."""
    house.wait(DAY_S)
    name, at = who.split("@")
    return do(house, f"{name} unlink", at, sure=True)


def link_as_once(house, one, other):
    """Link two accounts of one platform, as was possible before a rule forbade it; such links stay."""
    transaction = Transaction(house.writer.state)
    found = (transaction.players[player(house, who)] for who in (one, other))
    older, younger = sorted(found, key=lambda player: (player.joined, player.id))
    linking.merge(transaction, older, younger, house.clock.now - DAY_S)
    transaction.finish()
    house.books.write(transaction)
    house.writer.handling.publish(Batch(transaction))


def player(house, who):
    """Return the player behind `anna@discord:1`."""
    name, at = who.split("@")
    return house.writer.state.identity(_place(at).platform, name)


def wallet(house, who, casino=None):
    at = who.split("@")[1]
    return house.books.balance(f"player:{casino or casino_at(house, at)}:{player(house, who)}")


def casino_at(house, at):
    return house.writer.state.places[_place(at)].casino


def table_at(house, at):
    return house.table(house.writer.state.places[_place(at)].table_id)


def minted(house, casino):
    return -house.books.balance(f"mint:{casino}")


def _place(at):
    return Place(*at.split(":"))
