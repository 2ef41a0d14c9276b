"""Who is in the storm and what they say: every command of the house, in words that may work, mistyped, stale or forged.

All of it follows from one random.Random. What somebody says leans on the table that he looks at, as people do.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.floor.command import Command, Place, Who
from bot.floor.house import House
from bot.floor.places import is_lost
from bot.floor.registry import VERBS
from bot.floor.squeeze import UNDECIDED
from bot.floor.table import Table
from engine.felt import Offer
from engine.hand import Hand
from storage.rows import PlaceRow

PLATFORMS = ("web", "discord", "telegram")
PEOPLE = 240
INSPECTORS = 9
# Of each platform, those who play most, so that tables fill and hands are played to their end.
REGULARS = (4, 12, 30, PEOPLE)

# What may follow each command. {player} {seat} {hand} {last} {table} are filled in; a tuple is chosen from by chance.
WORDS: Mapping[str, tuple[str, ...]] = {
    "sit": ("", "", "{seat}"),
    "leave": ("",),
    "rebet": ("",),
    "takeback": ("",),
    "ready": ("",),
    "cards": ("",),
    "cut": ("", "my cut", "{seat}"),
    "standing": ("raise-pairs", "play-pairs", "stand-15", "off"),
    "follow": ("on", "on", "off"),
    "squeeze": ("", "south", "north"),
    "topup": ("20", "100", "max"),
    "sitout": ("",),
    "back": ("",),
    "balance": ("",),
    "daily": ("",),
    "give": ("{player} 5", "{player} 1k", "{player} half"),
    "statement": ("", "2", "csv"),
    "leaderboard": ("", "week", "1", "hide"),
    "stats": ("",),
    "history": ("", "2"),
    "help": ("", "bet", "table open"),
    "tables": ("",),
    "rules": ("", "stud"),
    "paytable": ("", "caribbean"),
    "odds": ("", "paiju"),
    "jackpot": ("",),
    "verify": ("{last}", "{hand}", "#{last}"),
    "casino show": ("",),
    "casino choose": ("", "1", "x"),
    "language": ("en", "it"),
    "pause": ("", "1", "loss 5k", "loss 10k", "minutes 1440", "off loss", "off minutes", "quiet", "loss 300"),
    "link": ("", "ABCDEFGH"),
    "unlink": ("",),
    "table open": ("caribbean", "uth", "paiju", "blackjack", "stud", "blackjack here it is"),
    "table close": ("storm",),
    "table pause": ("storm",),
    "table resume": ("", "storm"),
    "table set": (),  # by game: SETTINGS
    "table list": ("",),
    "table mirror": ("{table}", "{table} storm", "off"),
    "table refuse": ("{player} storm",),
    "table turner": ("south {player} storm", "west {player}", "north {player}"),
    "void": ("{hand} storm", "#{hand} storm", "{hand} {seat} storm"),
    "noncoup": ("storm",),
    "grant": ("{player} 500 storm", "{player} 1k storm"),
    "take": ("{player} half storm", "{player} 50 storm"),
    "adjust": ("{last} {player} 50 storm", "{last} {player} -20 storm"),
    "ban": ("{player} storm",),
    "unban": ("{banned} storm",),
    "inspector add": ("{player} storm", "{player}"),
    "inspector remove": ("{player} storm",),
    "meter reset": ("storm", "12345 storm", "9k storm"),
    "meter set": ("coin 2 storm", "coin 1 storm", "flush 60 storm", "reset 8k storm", "contribution 85 storm",
                  "11k storm"),
    "meter confirm": ("", "storm"),
    "meter reject": ("storm",),
    "meter history": ("",),
    "house set": ("start 900 storm", "daily 150 storm", "daily_below 3k storm", "give_after_hours 0 storm",
                  "most_percent 90 storm", "most_percent 100 storm", "name “The Storm” storm"),
    "house code": ("", "storm"),
    "house join": ("ABCDEFGHIJKLMNOP storm",),
    "house leave": ("storm",),
    "house reset": ("storm",),
    "audit": ("", "ban", "{player}", "{player} grant"),
    "export": ("", "2 storm"),
}  # fmt: skip
SETTINGS: Mapping[str, tuple[str, ...]] = {
    "": ("pace fast", "pace normal", "pace slow", "betting_s 10", "betting_s 20", "language it", "language en"),
    "caribbean": ("minimum 5 storm", "maximum 500 storm", "irregular_bets on storm", "procedure manual storm"),
    "uth": ("nonqualify us storm", "procedure manual storm", "seats 4 storm"),
    "paiju": ("squeeze off storm", "squeeze on storm", "squeeze on storm"),
    "blackjack": ("boxes_per_player 7 storm", "penetration 60 storm", "hits_soft_17 on storm", "double_soft on storm"),
    "stud": ("bring_in_may_complete on storm", "reveal_after 0 storm", "reveal_after 24 storm", "seats 6 storm"),
}
# The other commands are made for the table: bets, stacks, and the moves that a hand offers.
BETS = ("bet", "buyin")
# How often an inspector does what; what is not here, once. What takes away is made up for by what gives.
OFTEN = {"grant": 14, "table resume": 8, "table open": 6, "unban": 8, "ban": 2, "inspector add": 3, "table set": 4}
OFTEN |= {"adjust": 2, "table refuse": 3, "noncoup": 4, "table turner": 2}
NONSENSE: tuple[str, ...] = ("0", "-5", "1e9", "∞", "9" * 40, "ante", "", "jackpot", "50.001", "💰", "99", "x2", "1k")
NONSENSE += ("half", "all", "max", "\0", "\ud800", "' OR 1=1 --", "{0}", "%s", "a" * 1200, "..", "=", '"', "“")
# What people ask for at the tables of a game while bets are open.
LIKES = {"blackjack": ("follow", "follow"), "paiju": ("squeeze",)}
SPOTS = {
    "caribbean": ("{amount}", "ante {amount} jackpot", "ante 10 jackpot", "jackpot"),
    "uth": ("{amount}", "ante {amount} trips 5", "trips {amount}"),
    "paiju": ("south {amount}", "north-west {amount} west 7", "north 20", "south 20"),
    "blackjack": ("{box} {amount}", "{box} 10", "{amount}", "{box} {amount} admiral 10"),
}
AMOUNTS = ("10", "10", "20", "50", "100", "min", "max", "x2", "half", "2.5", "all")


@dataclass
class Crowd:
    """What is known of the house is what the books have.

    faces      which accounts are whose, and `accounts` the other way round
    places     all that were ever told; `with_table` where people speak
    undecided  tables where cards wait for an inspector's word
    """

    seed: int
    rng: random.Random
    house: House
    people: list[Who] = field(default_factory=list)
    faces: dict[tuple[str, str], int] = field(default_factory=dict)
    accounts: dict[int, list[tuple[str, str]]] = field(default_factory=dict)
    places: dict[tuple[str, str], PlaceRow] = field(default_factory=dict)
    with_table: list[tuple[str, str]] = field(default_factory=list)
    undecided: set[int] = field(default_factory=set)
    said: int = 0

    def __post_init__(self) -> None:
        self.people = [self._person(number) for number in range(PEOPLE)]
        self.of = {name: [who for who in self.people if who.platform == name] for name in PLATFORMS}
        self.by_account = {(who.platform, who.account): who for who in self.people}
        # Sorted: the order of the registry is that in which its modules were imported.
        self.verbs = sorted(VERBS)
        inspecting = [name for name in self.verbs if VERBS[name].group == "inspectors"]
        self.inspecting = [name for name in inspecting for _time in range(OFTEN.get(name, 1))]
        groups = ("chips", "knowing", "me", "play")
        self.asking = [name for name in self.verbs if VERBS[name].group in groups and name in WORDS]

    def _person(self, number: int) -> Who:
        platform, language = PLATFORMS[number % 3], ("en", "it")[number // 3 % 2]
        return Who(platform, str(number), f"player{number}", language, inspector=number < INSPECTORS)

    # What is known of the house

    def meet(self, platform: str, account: str, player: int) -> None:
        key = (platform, account)
        before = self.faces.get(key)
        if before is not None:
            self.accounts[before].remove(key)
        self.faces[key] = player
        self.accounts.setdefault(player, []).append(key)

    def find(self, row: PlaceRow) -> None:
        """Where a table can be played at, or one can be opened."""
        key = (row.platform, row.address)
        is_for_all = not row.address.endswith("home") and not row.address.startswith(("room", "@", "lobby"))
        if key not in self.places and is_for_all:
            self.with_table.append(key)
        self.places[key] = row

    def notice(self, table: Table) -> None:
        """Cards that wait for an inspector's word (PJ12); a room of the lounge that closes with its table."""
        (self.undecided.add if UNDECIDED in table.turning.values() else self.undecided.discard)(table.id)
        room = ("web", str(table.id))
        if table.status == "closed" and room in self.with_table and len(self.with_table) > 6:
            self.with_table.remove(room)

    # Who says what

    def command(
        self, who: Who, at: Place, verb: str, args: Sequence[str] = (), fresh: str = "", sure: bool = True
    ) -> Command:
        self.said += 1
        return Command(f"{self.seed}:{self.said}", who, at, verb, tuple(args), fresh, sure)

    def speak(self, silent: str) -> Command:
        """Somebody says something, not on the platform that is `silent`."""
        at = self._place(silent)
        table = self.table_at(at)
        roll = self.rng.random()
        if roll < 0.03:
            return self._nonsense(at)
        if table is None or table.status == "closed":
            return self._inspect(at, table, "table open") if roll < 0.8 else self._ask(at, table)
        if roll < 0.09:
            return self._inspect(at, table, self.rng.choice(self.inspecting))
        if roll < 0.17:
            return self._ask(at, table)
        return self._move(at, table) if table.play is not None else self._bet(at, table)

    def table_at(self, at: Place) -> Table | None:
        row = self.house.place(*at)
        return self.house.tables.get(row.table_id) if row is not None and row.table_id else None

    def _place(self, silent: str) -> Place:
        """Where a decision is wanted, or anywhere but where nobody listens."""
        if self.undecided and self.rng.random() < 0.3:
            keys = [key for key in self.with_table if (at := self.table_at(Place(*key))) and at.id in self.undecided]
            if keys:
                return Place(*self.rng.choice(keys))
        for _try in range(4):
            key = self.rng.choice(self.with_table)
            table = self.table_at(Place(*key))
            is_dead = table is not None and (table.status == "closed" or is_lost(table))
            if key[0] != silent and not (is_dead and self.rng.random() < 0.8):
                break
        return Place(*key)

    def somebody(self, platform: str, *, inspects: bool = False) -> Who:
        people = self.of[platform]
        if inspects:
            return self.rng.choice(people[: INSPECTORS // 3])
        return self.rng.choice(people[: self.rng.choice(REGULARS)])

    def owner_at(self, at: Place, players: Sequence[int]) -> Who | None:
        """An account of this platform that one of the players speaks with."""
        found = [key for player in players for key in self.accounts.get(player, ()) if key[0] == at.platform]
        return self.by_account[self.rng.choice(found)] if found else None

    def _nonsense(self, at: Place) -> Command:
        words = [self.rng.choice(NONSENSE) for _word in range(self.rng.randrange(4))]
        roll = self.rng.random()
        who = self.somebody(at.platform)
        if roll < 0.1:  # what only the house tells itself, typed by somebody
            return self.command(who, at, self.rng.choice(("lose", "arrive", "move", "grnt")), words)
        if roll < 0.2:
            return self.command(who, Place(at.platform, "nowhere"), "bet", words)
        fresh = self.rng.choice(("", "", "9999999.0", "x.y", "-1", "1." + "9" * 30))
        return self.command(who, at, self.rng.choice(self.verbs), words, fresh)

    def _inspect(self, at: Place, table: Table | None, verb: str) -> Command:
        who = self.somebody(at.platform, inspects=self.rng.random() < 0.93)
        words = self.fill(self.rng.choice(self._words(verb, table)), table)
        return self.command(who, at, verb, words, sure=self.rng.random() < 0.9)

    def _ask(self, at: Place, table: Table | None) -> Command:
        verb = self.rng.choice(self.asking)
        if verb == "pause" and self.rng.random() < 0.7:
            verb = "grant"  # who is paused is away for a day
            return self._inspect(at, table, verb)
        words = self.fill(self.rng.choice(WORDS[verb]), table)
        return self.command(self.somebody(at.platform), at, verb, words, sure=self.rng.random() < 0.8)

    def _words(self, verb: str, table: Table | None) -> Sequence[str]:
        if verb == "table set":
            return SETTINGS[""] + (SETTINGS[table.game] if table is not None else ())
        return WORDS[verb]

    def fill(self, words: str, table: Table | None) -> list[str]:
        if "{" not in words:
            return words.split()
        hand, last = (table.hand_id, table.last_hand) if table is not None else (0, 0)
        player = self.rng.randrange(self.rng.choice((9, 30, PEOPLE)))
        values: dict[str, object] = {"player": f"player{player}", "hand": hand, "last": last}
        values |= {"seat": self.rng.randint(1, 7), "table": self.rng.randint(1, 9), "banned": self._banned(table)}
        return words.format(**values).split()

    def _banned(self, table: Table | None) -> str:
        """Somebody whom an inspector keeps from playing at this table."""
        ids = [int(id) for id in self.house.casinos[table.casino].get("banned", {})] if table is not None else []
        keys = self.accounts.get(self.rng.choice(ids), []) if ids else []
        return self.by_account[keys[0]].name if keys else "nobody"

    # At a table

    def _move(self, at: Place, table: Table) -> Command:
        """Mostly one whose turn it is; now and then somebody who only looks on, or an inspector who interferes."""
        hand = table.play
        assert hand is not None
        owners = table.owners()
        wanted = [owners[seat] for seat in hand.asks] or table.turners
        who = self.owner_at(at, wanted) if self.rng.random() < 0.85 else None
        who = who or self.somebody(at.platform)
        if self.rng.random() < 0.015:
            return self._inspect(at, table, "void")
        if UNDECIDED in table.turning.values() and self.rng.random() < 0.4:
            return self._decide(at, table)
        if table.game == "blackjack" and self.rng.random() < 0.5 and (behind := list(hand.felt.aside)):
            return self._stay(at, owners[self.rng.choice(behind)])
        if self.rng.random() < 0.03:
            return self.command(self.owner_at(at, list(owners.values())) or who, at, "cards")
        return self._choose(who, at, table, hand)

    def _choose(self, who: Who, at: Place, table: Table, hand: Hand) -> Command:
        """What the hand offers him, by a button of now or of before; or what is not his to say."""
        mine = table.seats_played_by(self.faces.get((who.platform, who.account), 0))
        count = sum(move.seat in mine for move in hand.moves) - (self.rng.random() < 0.02)
        fresh = f"{table.hand_id - (self.rng.random() < 0.03)}.{count}" if self.rng.random() < 0.6 else ""
        asked = next((seat for seat in mine if seat in hand.asks), None)
        if asked is None:
            verb = self.rng.choice(("fold", "raise", "hit", "squeeze", "cards", "bet", "leave", "sit", "buyin"))
            return self.command(who, at, verb, ("100",) if verb == "buyin" else (), fresh)
        offer = self.rng.choice(hand.asks[asked])
        return self.command(who, at, offer.word, self._argument(offer), fresh)

    def _stay(self, at: Place, player: int) -> Command:
        """A co-player stops following the holder of his box (BJ13)."""
        return self.command(self.owner_at(at, [player]) or self.somebody(at.platform), at, "stay")

    def _decide(self, at: Place, table: Table) -> Command:
        """Of equal highest bets, who turns the cards (PJ12)."""
        position = self.rng.choice([name for name, player in table.turning.items() if player == UNDECIDED])
        player = self.owner_at(at, [bet.player for bet in table.bets]) or self.somebody(at.platform)
        inspector = self.somebody(at.platform, inspects=True)
        return self.command(inspector, at, "table turner", (position, player.name, "storm"))

    def _argument(self, offer: Offer) -> tuple[str, ...]:
        """An amount, a multiple; a card to exchange by its position, now and then by its face."""
        if offer.most:
            amount = self.rng.randint(offer.least, min(offer.most, offer.least + 50000))
            return (f"{amount // 100}.{amount % 100:02}",)
        if offer.word == "exchange" and self.rng.random() < 0.8:
            return (str(self.rng.randint(1, 5)),)
        return (offer.argument,) if offer.argument else ()

    def _bet(self, at: Place, table: Table) -> Command:
        fresh = str(table.hand_id - (self.rng.random() < 0.03)) if self.rng.random() < 0.5 else ""
        who, roll = self.somebody(at.platform), self.rng.random()
        sure = self.rng.random() < 0.8
        if roll < 0.05:
            return self.command(who, at, self.rng.choice(("rebet", "sit", *LIKES.get(table.game, ()))), (), fresh, sure)
        if roll < 0.15:
            verbs = ("ready", "ready", "takeback", "leave", *(("sitout", "back") if table.game == "stud" else ()))
            here = self.owner_at(at, sorted(table.players())) or who
            return self.command(here, at, self.rng.choice(verbs), (), fresh, sure)
        if roll < 0.2:
            return self.command(who, at, "cut", (f"cut {self.rng.random()}",), fresh)
        if table.game == "stud":
            verb = self.rng.choice(("buyin", "buyin", "buyin", "topup", "sit", "back"))
            stack = (self.rng.choice(("80", "200", "400", "max")),) if verb in ("buyin", "topup") else ()
            return self.command(who, at, verb, stack, fresh)
        words = self.rng.choice(SPOTS[table.game]).format(amount=self.rng.choice(AMOUNTS), box=self.rng.randint(1, 4))
        return self.command(who, at, "bet", words.split(), fresh, sure)
