"""Questions about people: players, their accounts on platforms, their names and codes, what they are in casinos."""

from collections.abc import Sequence

from storage.confusables import skeletons_of
from storage.questions.audit import like
from storage.rows import IdentityRow, MemberRow, PlayerRow, SeenRow, UsernameRow
from storage.store import Reader


def player(books: Reader, id: int) -> PlayerRow | None:
    """Return the player of that number, or None."""
    return books._first(PlayerRow, "WHERE id = ?", id)


def seen(books: Reader, player: int) -> SeenRow | None:
    """Return where a player last spoke and played, or None."""
    return books._first(SeenRow, "WHERE player = ?", player)


def players_after(books: Reader, id: int, most: int) -> list[PlayerRow]:
    """Return the next players after that number, in order."""
    return books._rows(PlayerRow, "WHERE id > ? ORDER BY id LIMIT ?", id, most)


def player_behind(books: Reader, platform: str, name: str) -> int | None:
    """Return the player of an account on a platform, or None."""
    found = books._first(IdentityRow, "WHERE platform = ? AND name = ?", platform, name)
    return found.player if found else None


def identities_of_player(books: Reader, player: int) -> list[IdentityRow]:
    """Return all accounts of a player on all platforms."""
    return books._rows(IdentityRow, "WHERE player = ?", player)


def account_on(books: Reader, platform: str, player: int) -> str | None:
    """Return the name of an account that a player has on a platform, or None."""
    found = books._first(IdentityRow, "WHERE player = ? AND platform = ?", player, platform)
    return found.name if found else None


def _named(books: Reader) -> str:
    """Return a query for (player, number, who the player has become or NULL) of the members of a casino whose name
    shares a skeleton, by one index after the other: each takes the casino and both skeletons.
    """
    by_index = {"look": "members_by_look", "capitals": "members_by_capitals"}
    return " UNION ".join(
        f"""SELECT members.player, members.number, {books._number_in("players.state", "merged")} AS become
            FROM members {books._by(index)} JOIN players ON players.id = members.player
            WHERE members.casino = ? AND members.{column} IN (?, ?)"""
        for column, index in by_index.items()
    )


def players_named(books: Reader, casino: int, name: str, most: int, number: int | None = None) -> list[int]:
    """Return up to `most` members of a casino whose name shares a skeleton with this one; only those whose name has
    that `number`, where one is given. A player who has become another one is found by the old name, unless it is taken.
    """
    wanted = "" if number is None else f"WHERE named.number = {number}"
    sql = f"""SELECT named.player, named.become FROM ({_named(books)}) AS named {wanted}
              ORDER BY named.become IS NOT NULL, named.number, named.player LIMIT ?"""
    found = books._select(sql, *2 * (casino, *skeletons_of(name)), most)
    now = [int(id) for id, become in found if become is None]
    return now or list(dict.fromkeys(int(become) for _id, become in found))


def members_called(books: Reader, casino: int, words: str, most: int, skip: int = 0) -> list[int]:
    """Return members of a casino with these words in their name, by name, but for the first `skip`; a player who has
    become another one is found as that one alone.
    """
    sql = f"""SELECT players.id FROM players JOIN members ON members.player = players.id
              WHERE members.casino = ? AND {books._number_in("players.state", "merged")} IS NULL
              AND members.look LIKE ? ESCAPE '!' ORDER BY members.look, players.id LIMIT ? OFFSET ?"""
    return [int(id) for (id,) in books._select(sql, casino, like(skeletons_of(words).look), most, skip)]


def numbers_named(books: Reader, casino: int, skeletons: Sequence[str], player: int) -> tuple[int, int] | None:
    """Return the least and the largest number of names there that share a skeleton with these, except the player's own.

    None where there is no such name.
    """
    sql = f"SELECT min(named.number), max(named.number) FROM ({_named(books)}) AS named"
    sql += " WHERE named.player <> ? AND named.become IS NULL"
    least, largest = books._select(sql, *2 * (casino, *skeletons), player)[0]
    return (int(least), int(largest)) if least is not None else None


def account_called(books: Reader, platform: str, username: str) -> str | None:
    """Return the account of a platform that was last seen with a username (case folded), or None."""
    found = books._first(UsernameRow, "WHERE platform = ? AND username = ?", platform, username)
    return found.account if found else None


def member(books: Reader, casino: int, player: int) -> MemberRow | None:
    """Return a player's membership in a casino, or None."""
    return books._first(MemberRow, "WHERE casino = ? AND player = ?", casino, player)


def members_of_casino(books: Reader, casino: int) -> list[MemberRow]:
    """Return all members of a casino."""
    return books._rows(MemberRow, "WHERE casino = ?", casino)


def memberships_of_player(books: Reader, player: int) -> list[MemberRow]:
    """Return a player's memberships in all casinos."""
    return books._rows(MemberRow, "WHERE player = ?", player)
