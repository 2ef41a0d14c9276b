"""Questions about people: players, their accounts on platforms, their names and codes, what they are in casinos."""

from collections.abc import Sequence

from storage.questions.audit import like
from storage.rows import IdentityRow, MemberRow, PlayerRow, SeenRow
from storage.store import Reader


def player(books: Reader, id: int) -> PlayerRow | None:
    """The player of that number."""
    return books._first(PlayerRow, "WHERE id = ?", id)


def seen(books: Reader, player: int) -> SeenRow | None:
    """Where he spoke and played last; None for who has not yet."""
    return books._first(SeenRow, "WHERE player = ?", player)


def seen_of(books: Reader, players: Sequence[int]) -> list[SeenRow]:
    """The same of some, in whatever order."""
    return books._rows(SeenRow, f"WHERE player IN ({', '.join('?' * len(players))})", *players)


def versions_of(books: Reader, players: Sequence[int]) -> dict[int, int]:
    """{player: how often his row was written}."""
    marks = ", ".join("?" * len(players))
    return dict(books._select(f"SELECT id, version FROM players WHERE id IN ({marks})", *players))


def players_after(books: Reader, id: int, most: int) -> list[PlayerRow]:
    """The next players after that number, in order."""
    return books._rows(PlayerRow, "WHERE id > ? ORDER BY id LIMIT ?", id, most)


def player_behind(books: Reader, platform: str, name: str) -> int | None:
    """Whose account of a platform that is."""
    found = books._first(IdentityRow, "WHERE platform = ? AND name = ?", platform, name)
    return found.player if found else None


def identities_of_player(books: Reader, player: int) -> list[IdentityRow]:
    """All accounts of a player, on whatever platform."""
    return books._rows(IdentityRow, "WHERE player = ?", player)


def account_on(books: Reader, platform: str, player: int) -> str | None:
    """The name of an account that a player has on a platform."""
    found = books._first(IdentityRow, "WHERE player = ? AND platform = ?", player, platform)
    return found.name if found else None


def players_named(books: Reader, casino: int, name: str) -> list[int]:
    """Up to two members of a casino of that name, whatever its case, each as the player he has become."""
    sql = f"""SELECT DISTINCT coalesce({books._number_in("players.state", "merged")}, players.id)
              FROM players JOIN members ON members.player = players.id
              WHERE members.casino = ? AND lower(players.name) = lower(?) LIMIT 2"""
    return [int(id) for (id,) in books._select(sql, casino, name)]


def members_called(books: Reader, casino: int, words: str, most: int, skip: int = 0) -> list[tuple[int, str]]:
    """(player, name) of members of a casino with these words in their name, by name, but for the first `skip`; who has
    become another player is found as that one alone.
    """
    sql = f"""SELECT players.id, players.name FROM players JOIN members ON members.player = players.id
              WHERE members.casino = ? AND {books._number_in("players.state", "merged")} IS NULL
              AND lower(players.name) LIKE lower(?) ESCAPE '!' ORDER BY lower(players.name), players.id
              LIMIT ? OFFSET ?"""
    return [(int(id), name) for id, name in books._select(sql, casino, like(words), most, skip)]


def is_look_taken(books: Reader, look: str) -> bool:
    """Whether somebody's name looks so."""
    return bool(books._select("SELECT 1 FROM looks WHERE look = ? LIMIT 1", look))


def member(books: Reader, casino: int, player: int) -> MemberRow | None:
    """What a player is in a casino, if he has been there."""
    return books._first(MemberRow, "WHERE casino = ? AND player = ?", casino, player)


def members_of_casino(books: Reader, casino: int) -> list[MemberRow]:
    """Everybody who has been in a casino."""
    return books._rows(MemberRow, "WHERE casino = ?", casino)


def memberships_of_player(books: Reader, player: int) -> list[MemberRow]:
    """What a player is in each casino where he has been."""
    return books._rows(MemberRow, "WHERE player = ?", player)
