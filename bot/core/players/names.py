"""Newcomers and names: as their platform gives them, separate in each casino.

No one can be mistaken there for another player, nor for the casino.
"""

from dataclasses import replace

from bot.core.commands.command import Who
from bot.core.commands.shown_names import GUEST_SKELETONS, check_name, could_be_the_casino, trim_name
from bot.core.state import lounge
from bot.core.state.people import PlayerState
from bot.core.state.transaction import Transaction
from bot.core.state.values import Member, Player
from bot.texts import LANGUAGES, Name
from bot.texts.languages import SOURCE
from storage.confusables import skeletons_of
from storage.questions import people
from storage.rows import IdentityRow, PlayerRow, UsernameRow


def meet(transaction: Transaction, who: Who, now: float) -> Player:
    """Return the player behind an account, with what its platform calls them now; a new account is a new player. Raises
    Refused for a name that cannot be.
    """
    known = transaction.identity(who.platform, who.account)
    if known is not None:
        return _follow_account(transaction, transaction.players[known], who)
    language = who.language if who.language in LANGUAGES else SOURCE
    state = PlayerState(hidden=True) if who.platform == lounge.GUESTS else PlayerState()
    name = check_name(who.name) if who.platform == lounge.PLATFORM else trim_name(who.name)
    player = Player(transaction.next_id(PlayerRow), Name(name), language, state, now)
    transaction.set_identity(IdentityRow(who.platform, who.account, player.id))
    return _follow_account(transaction, transaction.set_player(player), who)


def _follow_account(transaction: Transaction, player: Player, who: Who) -> Player:
    """Update the player's name and username if the platform reports others than before.

    In the lounge, players choose their names themselves.
    """
    state = player.state
    name = trim_name(who.name) if who.name and who.platform != lounge.PLATFORM else ""
    if name and state.called.get(who.platform) != name:
        is_new = who.platform not in state.called and state.called
        called = player.own_name if is_new else Name(name)
        player = replace(player, own_name=called).change(called={**state.called, who.platform: name})
    username = who.username.casefold()
    if username and state.usernames.get(who.platform) != username:
        player = player.change(usernames={**state.usernames, who.platform: username})
        transaction.put(UsernameRow(who.platform, username, who.account))
    return player if player.state is state else transaction.set_player(player)


def follow_member(transaction: Transaction, member: Member, player: Player, who: Who) -> Member:
    """Name a member as their platform does here, where it gives another name than it did last.

    A casino that communities share knows no nickname: it was given for one of them.
    """
    if who.here is None or not who.name or who.platform == lounge.PLATFORM:
        return member if member.name else transaction.set_member(name_member(transaction, member, player.own_name, who))
    given = who.here if who.here and (who.here == who.name or not transaction.is_shared(member.casino)) else who.name
    name = trim_name(given)
    heard = member.state.heard
    if heard.get(who.platform) == name:
        return member
    is_linked = who.platform not in heard and bool(heard)
    known = member.change(heard={**heard, who.platform: name})
    return transaction.set_member(known if is_linked else name_member(transaction, known, name, who))


def name_member(transaction: Transaction, member: Member, name: str, who: Who | None = None) -> Member:
    """Return a member by this name, with the first number that no name has there that looks like it."""
    is_guest = who is not None and who.platform == lounge.GUESTS
    is_taken = could_be_the_casino(name) or (member.casino == lounge.LOUNGE and _is_guests(name))
    number = transaction.free_number(member.casino, name, member.player, is_first=is_guest or not is_taken)
    return replace(member, name=str(name), number=number)


def _is_guests(name: str) -> bool:
    """Check whether the name is reserved for a house player."""
    return not GUEST_SKELETONS.isdisjoint(skeletons_of(name))


def take_nicknames_away(transaction: Transaction, casino: int) -> None:
    """Name all members as they call themselves: from now on a second community sees them."""
    for row in people.members_of_casino(transaction.books, casino):
        member, player = transaction.member(casino, row.player), transaction.players[row.player]
        if member is not None and member.state.heard and member.name in member.state.heard.values():
            own = {platform: player.state.called.get(platform, name) for platform, name in member.state.heard.items()}
            if member.name not in own.values():
                transaction.set_member(name_member(transaction, member.change(heard=own), player.own_name))
