"""Commands of people: every command, with valid words, mistyped, stale or forged.

Most commands suit the table that the person looks at; those of one game only are in behavior.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.core.casinos.places import is_lost
from bot.core.casinos.recap import OFF
from bot.core.command_list import CHAT_COMMANDS
from bot.core.commands.command import Command, Who
from bot.core.state.place import Place
from bot.core.state.table import Table
from bot.core.state.tournament import LiveTournament
from bot.texts import LANGUAGES
from engine.felt import Offer
from engine.hand import Hand
from tests.simulation.behavior import BEHAVIORS
from tests.simulation.crowd import PEOPLE, Crowd
from tests.simulation.turning import turn

# Possible arguments of each command. {player} {seat} {hand} {last} {table} {game} are filled in; from a tuple one is
# chosen at random.
WORDS: Mapping[str, tuple[str, ...]] = {
    "sit": ("", "", "{seat}"),
    "leave": ("",),
    "rebet": ("",),
    "takeback": ("",),
    "ready": ("",),
    "cards": ("",),
    "checkfold": ("", "1", "x"),
    "cut": ("", "my cut", "{seat}"),
    "standing": ("off",),
    "balance": ("",),
    "daily": ("",),
    "give": ("{player} 5", "{player} 1k", "{player} half"),
    "statement": ("", "2", "csv", "2026-11-24", "#1"),
    "leaderboard": ("", "week", "month", "2026-11", "1", "hide"),
    "stats": ("",),
    "rank": ("",),
    "recap": ("",),
    "invite": ("",),
    "notify": ("seat", "hot", "off", "x"),
    "mentions": ("on", "off", "x"),
    "accept": ("1-ABCDEFGHABCDEFGH", "x"),
    "history": ("", "2", "stud 2026-11-24"),
    "help": ("", "bet", "table open"),
    "tables": ("",),
    "rules": ("", "{game}"),
    "paytable": ("", "{game}"),
    "odds": ("", "{game}"),
    "learn": ("", "{game}"),
    "deal": ("", "{game}", "caribbean"),
    "deal play": ("{game} bet 10", "caribbean bet 10", "caribbean fold", "caribbean raise", "uth bet 5", "uth check",
                  "blackjack bet 10", "blackjack stand", "x"),
    "deal results": ("", "{game}", "caribbean", "caribbean 2026-11-24"),
    "review": ("", "3", "x"),
    "share": ("", "{last}", "{last} replay", "{hand}", "replay", "x"),
    "coach": ("", "on", "after", "off", "x"),
    "verify": ("{last}", "{hand}", "#{last}"),
    "log": ("",),
    "casino show": ("",),
    "casino choose": ("", "1", "x"),
    "language": tuple(LANGUAGES),
    "pause": ("", "1", "loss 5k", "loss 10k", "minutes 1440", "off loss", "off minutes", "quiet", "loss 300"),
    "link": ("", "ABCDEFGH"),
    "unlink": ("",),
    "table open": ("{game}", "{game}", "{game} here it is"),
    "table here": ("",),
    "table close": ("test",),
    "table pause": ("test",),
    "table resume": ("", "test"),
    "table set": ("recap 22", "recap 22", "recap off", "mentions off", "pace fast", "pace normal", "pace slow",
                  "betting_s 10", "betting_s 20", *(f"language {one}" for one in LANGUAGES)),
    "table list": ("",),
    "table invite": ("", "{player}"),
    "table private": ("on", "off", "off", "off"),
    "table mirror": ("{table}", "{table} test", "off"),
    "table refuse": ("{player} test",),
    "tournament": ("",),
    "tournament create": ("holdem 2", "holdem 3 20", "holdem 10 10", "stud 2 0", "puntobanco 2 20", "{game}"),
    "tournament schedule": ("holdem 20:00", "stud 20:00 4 10 test", "x"),
    "tournament join": ("", "{table}"),
    "tournament leave": ("", "{table}"),
    "tournament status": ("", "{table}"),
    "tournament back": ("",),
    "tournament cancel": ("{table} test",),
    "tournament remove": ("{table} {player} test",),
    "tournament postpone": ("{table} 21:00 test",),
    "show": ("",),
    "void": ("{hand} test", "#{hand} test", "{hand} {seat} test"),
    "grant": ("{player} 500 test", "{player} 1k test"),
    "take": ("{player} half test", "{player} 50 test"),
    "adjust": ("{last} {player} 50 test", "{last} {player} -20 test"),
    "ban": ("{player} test",),
    "name reset": ("{player} test",),
    "unban": ("{banned} test",),
    "inspector add": ("{player} test", "{player}"),
    "inspector remove": ("{player} test",),
    "house set": ("start 900 test", "daily 150 test", "daily_below 3k test", "give_after_hours 0 test",
                  "most_percent 90 test", "most_percent 100 test", "name “The Town” test"),
    "house code": ("", "test"),
    "house join": ("ABCDEFGHIJKLMNOP test",),
    "house leave": ("test",),
    "house reset": ("test",),
    "audit": ("", "ban", "{player}", "{player} grant"),
    "settings": ("", "tables", "people", "people 2", "jackpot", "rules", "log", "log 2"),
    "export": ("", "2 test"),
    "setup": ("",),
}  # fmt: skip
# How often an inspector uses each command (default once). Commands that take are balanced by those that give.
OFTEN = {"grant": 14, "table resume": 8, "table open": 6, "unban": 8, "ban": 2, "inspector add": 3, "table set": 2}
OFTEN |= {"adjust": 2, "table refuse": 3}
NONSENSE: tuple[str, ...] = ("0", "-5", "1e9", "∞", "9" * 40, "ante", "", "jackpot", "50.001", "💰", "99", "x2", "1k")
NONSENSE += ("half", "all", "max", "\0", "\ud800", "' OR 1=1 --", "{0}", "%s", "a" * 1200, "..", "=", '"', "“")
AMOUNTS = ("10", "10", "20", "50", "100", "min", "max", "x2", "half", "2.5", "all")
# Commands of players who are not in turn.
AT_ANY_TIME = ("cards", "bet", "leave", "sit")


@dataclass
class Talk:
    """The people's commands."""

    crowd: Crowd

    def __post_init__(self) -> None:
        self.rng = self.crowd.rng
        # Sorted: the order of the registry is that in which its modules were imported.
        self.verbs = sorted(CHAT_COMMANDS)
        inspecting = [name for name in self.verbs if CHAT_COMMANDS[name].group == "inspectors" and name in WORDS]
        self.inspecting = [name for name in inspecting for _time in range(OFTEN.get(name, 1))]
        groups = ("chips", "knowing", "me", "play")
        self.asking = [name for name in self.verbs if CHAT_COMMANDS[name].group in groups and name in WORDS]

    def speak(self, silent: str) -> Command:
        """Return a command of a random person, not on the `silent` platform."""
        at = self._place(silent)
        table = self.crowd.table_at(at)
        roll = self.rng.random()
        if roll < 0.03:
            return self._nonsense(at)
        if table is not None and table.tournament is not None and roll > 0.97:
            return self._end_tournament(at, table, table.tournament)
        if table is None or table.status == "closed":
            return self._inspect(at, table, "table open") if roll < 0.8 else self._ask(at, table)
        if roll < 0.09:
            return self._inspect(at, table, *self.inspecting)
        if roll < 0.17:
            return self._ask(at, table)
        return self._move(at, table) if table.round.hand is not None else self._bet(at, table)

    def _end_tournament(self, at: Place, table: Table, live: LiveTournament) -> Command:
        """Leave or cancel a tournament that has not started, or go back to the former table of one that is over."""
        entered = self.crowd.one_of(at, list(table.seats.values()))
        if live.is_registering and entered is not None and self.rng.random() < 0.6:
            return self.crowd.say(entered, at, "tournament leave", sure=True)
        line = "tournament back" if live.has_ended else f"tournament cancel {table.number} test"
        return self.crowd.say(self.crowd.somebody(at.platform, inspects=True), at, line, sure=True)

    def _place(self, silent: str) -> Place:
        """Return a place where a command is awaited, or any place except silent ones."""
        if self.crowd.waiting and self.rng.random() < 0.3:
            where = ((key, self.crowd.table_at(Place(*key))) for key in self.crowd.with_table)
            keys = [key for key, table in where if table is not None and table.id in self.crowd.waiting]
            if keys:
                return Place(*self.rng.choice(keys))
        for _try in range(4):
            key = self.rng.choice(self.crowd.with_table)
            table = self.crowd.table_at(Place(*key))
            is_dead = table is not None and (table.status == "closed" or is_lost(table))
            if key[0] != silent and not (is_dead and self.rng.random() < 0.8):
                break
        return Place(*key)

    def _nonsense(self, at: Place) -> Command:
        words = [self.rng.choice(NONSENSE) for _word in range(self.rng.randrange(4))]
        roll = self.rng.random()
        who = self.crowd.somebody(at.platform)
        if roll < 0.1:  # an internal command, typed by a person
            return self.crowd.command(who, at, self.rng.choice(("lose", "arrive", "move", "grnt")), words)
        if roll < 0.2:
            return self.crowd.command(who, Place(at.platform, "nowhere"), "bet", words)
        fresh = self.rng.choice(("", "", "9999999.0", "x.y", "-1", "1." + "9" * 30))
        return self.crowd.command(who, at, self.rng.choice(self.verbs), words, fresh)

    def _inspect(self, at: Place, table: Table | None, *verbs: str) -> Command:
        """Return one of these inspectors' commands; if any is possible, those of this game too."""
        who = self.crowd.somebody(at.platform, inspects=self.rng.random() < 0.93)
        own = BEHAVIORS[table.game].inspects if table is not None and len(verbs) > 1 else ()
        line = self._line(self.rng.choice((*verbs, *own)))
        return self.crowd.say(who, at, self._fill(line, table), sure=self.rng.random() < 0.9)

    def _ask(self, at: Place, table: Table | None) -> Command:
        own = BEHAVIORS[table.game].says if table is not None else ()
        told = ("recap",) * 8 if table is not None and table.settings.recap != OFF else ()
        line = self.rng.choice((*self.asking, *own, *told))
        if line == "pause" and self.rng.random() < 0.7:
            return self._inspect(at, table, "grant")  # a paused player is away for a day
        line = self._fill(self._line(line), table)
        return self.crowd.say(self.crowd.somebody(at.platform), at, line, sure=self.rng.random() < 0.8)

    def _line(self, line: str) -> str:
        """Return a command with arguments; a whole line of a game's own stays as it is."""
        return f"{line} {self.rng.choice(WORDS[line])}" if line in WORDS else line

    def _fill(self, line: str, table: Table | None) -> str:
        if "{" not in line:
            return line
        hand, last = (table.round.hand_id, table.last_hand) if table is not None else (0, 0)
        player = self.rng.randrange(self.rng.choice((9, 30, PEOPLE)))
        values: dict[str, object] = {"player": f"player{player}", "hand": hand, "last": last}
        values |= {"seat": self.rng.randint(1, 7), "table": self.rng.randint(1, 9), "banned": self._banned(table)}
        values |= {"game": self.rng.choice(self.crowd.games), "amount": self.rng.choice(AMOUNTS)}
        return line.format(**values)

    def _banned(self, table: Table | None) -> str:
        """Return a player banned from this table."""
        crowd = self.crowd
        ids = list(crowd.house.casinos[table.casino].state.banned) if table is not None else []
        keys = crowd.accounts.get(self.rng.choice(ids), []) if ids else []
        return crowd.by_account[keys[0]].name if keys else "nobody"

    def _move(self, at: Place, table: Table) -> Command:
        """Return a move, mostly by a player to move; sometimes by a spectator, or an inspector's act."""
        hand = table.round.hand
        assert hand is not None
        owners = table.owners()
        wanted = [owners[seat] for seat in hand.asks]
        who = self.crowd.one_of(at, wanted) if self.rng.random() < 0.85 else None
        who = who or self.crowd.somebody(at.platform)
        if self.rng.random() < 0.015:
            return self._inspect(at, table, "void")
        if self.rng.random() < 0.5 and (said := turn(self.crowd, at, table)) is not None:
            return said
        if hand.aside and self.rng.random() < 0.5:
            return self._speak_aside(at, hand, owners)
        if self.rng.random() < 0.03:
            return self.crowd.say(self.crowd.one_of(at, list(owners.values())) or who, at, "cards")
        return self._choose(who, at, table, hand)

    def _speak_aside(self, at: Place, hand: Hand, owners: Mapping[str, int]) -> Command:
        """Make an optional move outside of the turn, by someone who may (BJ13)."""
        seat = self.rng.choice(list(hand.aside))
        offer = self.rng.choice(hand.aside[seat])
        who = self.crowd.one_of(at, [owners[seat]]) or self.crowd.somebody(at.platform)
        return self.crowd.command(who, at, offer.word, self._argument(offer))

    def _choose(self, who: Who, at: Place, table: Table, hand: Hand) -> Command:
        """Make a move that the hand offers, by a present or an old button, or one that is not the player's."""
        mine = table.seats_played_by(self.crowd.player(who))
        count = sum(move.seat in mine for move in hand.moves) - (self.rng.random() < 0.02)
        fresh = f"{table.round.hand_id - (self.rng.random() < 0.03)}.{count}" if self.rng.random() < 0.6 else ""
        asked = next((seat for seat in mine if seat in hand.asks), None)
        if asked is None:
            line = self.rng.choice((*AT_ANY_TIME, *table.rules.words, *BEHAVIORS[table.game].says))
            return self.crowd.say(who, at, self._fill(line, table), fresh)
        offer = self.rng.choice(hand.asks[asked])
        return self.crowd.command(who, at, offer.word, self._argument(offer), fresh)

    def _argument(self, offer: Offer) -> tuple[str, ...]:
        """Return an amount, a multiple, or a card: mostly by its position, sometimes by its face."""
        if offer.most:
            amount = self.rng.randint(offer.least, min(offer.most, offer.least + 50000))
            return (f"{amount // 100}.{amount % 100:02}",)
        if offer.public is not None and self.rng.random() < 0.8:
            return (offer.public,)
        return (offer.argument,) if offer.argument else ()

    def _bet(self, at: Place, table: Table) -> Command:
        fresh = str(table.round.hand_id - (self.rng.random() < 0.03)) if self.rng.random() < 0.5 else ""
        who, sure = self.crowd.somebody(at.platform), self.rng.random() < 0.8
        behavior, roll = BEHAVIORS[table.game], self.rng.random()
        if roll < 0.05:
            line = self.rng.choice(("rebet", "sit", *behavior.says))
        elif roll < 0.15:
            who = self.crowd.one_of(at, sorted(table.players())) or who
            line = self.rng.choice(("ready", "ready", "takeback", "leave", *self._some(behavior.says)))
        elif roll < 0.2:
            line = f"cut cut {self.rng.random()}"
        else:
            line = self.rng.choice(behavior.bets)
        return self.crowd.say(who, at, self._fill(line, table), fresh, sure)

    def _some(self, lines: Sequence[str]) -> Sequence[str]:
        """Return one of them, if there are any."""
        return (self.rng.choice(lines),) if lines else ()
