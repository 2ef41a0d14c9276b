"""One owner of a hundred accounts with any commands: the gain of each account stays within its limit (gift_budget.py).

They give, lose on purpose at stud, link and unlink, gamble at the bank with all accounts and pass on the winnings, bet
behind, leave standing orders, and collect everyone's daily chips. The chips of the main account are then those given by
the casino, those won from the bank by itself, and those brought by the others; only the last are the owner's gain.
"""

import random

import pytest

from bot.core.players import gift_budget
from engine.cards import FRENCH
from engine.felt import Deal, Move, Stake
from engine.games import blackjack
from engine.hand import Hand
from tests.core.communities import DAY_S, casino_at, command, do, found, player, says, table_at
from tests.core.conftest import TABLES, House
from tests.disk import ask

BANK_GAMES = {
    "blackjack": ["bet 1 10", "bet 1 500", "bet 2 100", "bet 3 200 admiral 10", "follow on", "hit", "stand", "double"],
    "caribbean": ["bet 100 jackpot", "bet max", "raise", "fold", "standing raise-pairs"],
    "paiju": ["bet south 500 west 500", "bet north 500", "bet north-south 100"],
    "uth": ["bet 50", "bet max", "play 4", "check", "standing play-pairs"],
}


def platform_of(who):
    return who.split("@")[1].split(":")[0]


class Town:
    """A casino of several places, all of whose accounts except the inspectors' are one person's. The main one came
    first.
    """

    games = ("stud", "stud", *BANK_GAMES)
    give_a_day, take_a_day = gift_budget.GIVE_A_DAY, gift_budget.TAKE_A_DAY

    def __init__(self, folder, seed, accounts=100):
        self.house, self.chance = House(folder), random.Random(seed)
        self.house.change("PRAGMA synchronous = OFF")  # thousands of commits, and no power fails here
        self.places = self.settle()
        self.main = f"main@{self.places[0]}"
        self.people = [self.main, *(self.name(number) for number in range(1, accounts))]
        self.say((self.main, "balance"))
        self.house.wait(1)
        self.say(*((who, "balance") for who in self.people[1:]))
        self.casino = casino_at(self.house, self.places[0])

    def settle(self):
        places = [f"{('discord', 'telegram')[number % 2]}:{number}" for number in range(len(self.games))]
        for number, (at, game) in enumerate(zip(places, self.games, strict=True)):
            found(self.house, at)
            if number:
                code = says(self.house, "insp house code", places[0]).split()[3].rstrip(".")
                assert not do(self.house, f"insp{number} house join {code}", at, sure=True).refused
            assert not do(self.house, f"insp table open {game}", at).refused
        return places

    def name(self, number):
        return f"p{number}@{self.places[number % 2]}"

    def say(self, *lines, at=None):
        """Submit (who, line) pairs together, each at any place of the account's platform or at its own."""
        sayings = [self.command(who, line, at or who.split("@")[1]) for who, line in lines]
        return self.house.batch(sayings) if sayings else []

    def command(self, who, line, at):
        """Return a command at any place, which the account thereby joins."""
        made = command(self.house, f"{who.split('@')[0]} {line}", at, sure=True)
        return made._replace(who=made.who._replace(platform=platform_of(who)))

    def id(self, who):
        return player(self.house, who)

    def wallet(self, who):
        return self.house.books.balance(f"player:{self.casino}:{self.id(who)}")

    def tables(self, *games):
        return [at for at, game in zip(self.places, self.games, strict=True) if game in games]

    def live(self, days):
        end = self.house.clock.now + days * DAY_S
        while self.house.clock.now < end:
            self.say(*((who, "daily") for who in self.people))
            for at in self.tables(*BANK_GAMES):
                self.gamble(at)
            self.link()
            self.give()
            for at in self.tables("stud"):
                self.dump(at)
            self.house.wait(min(self.chance.choice([1, 5, 9, 13]) * 3600, end - self.house.clock.now))

    def gamble(self, at):
        """Let some accounts play anything; winners are remembered for their chips."""
        lines = BANK_GAMES[table_at(self.house, at).game]
        some = [self.main, *self.chance.sample(self.people, 6)]
        for _ in range(2):
            self.say(*((who, self.chance.choice(lines[:4])) for who in some), at=at)
            self.house.wait(25)
            for _ in range(3):
                self.say(*((who, self.chance.choice(lines)) for who in some), at=at)
            self.house.wait(130)
        self.say(*((who, "leave") for who in some), at=at)

    def link(self):
        """Link with the richest account of another platform, for the shortest time, again and again."""
        others = [who for who in self.people if platform_of(who) != platform_of(self.main)]
        self.say(*((who, "unlink") for who in others if self.id(who) == self.id(self.main)))
        for who in sorted(others, key=self.wallet, reverse=True)[:2]:
            (answer,) = self.say((self.main, "link"))
            self.say((who, f"link {answer.texts[0].values['code']}"))

    def give(self):
        """Give to the main account in amounts of every size, now and then through another account."""
        middle = self.chance.choice(self.people)
        for who in self.chance.sample(self.people, len(self.people)):
            to = "main" if self.chance.random() < 0.9 else middle.split("@")[0]
            for amount in (500, 100, 7):
                (answer,) = self.say((who, f"give {to} {amount}"))
                if not answer.refused:
                    break
            else:
                if self.chance.random() < 0.2:
                    break  # the main account has enough for today

    def dump(self, at, hands=3):
        """Let the main account and seven others stake as much as possible, and the others fold."""
        some = [self.main, *self.chance.sample(self.people[1:], 7)]
        for who in some:
            for line in ("buyin 800", "buyin 500", "sit", "topup 300", "back"):
                self.say((who, line), at=at)
        for _ in range(hands):
            self.house.wait(8)
            self.play_stud(at, {self.id(who): who for who in some})
        self.say(*((who, "leave") for who in some), at=at)

    def play_stud(self, at, names):
        while (hand := table_at(self.house, at).round.hand) is not None:
            ((seat, offers),) = hand.asks.items()
            who = names[table_at(self.house, at).owners()[seat]]
            is_river = len(hand.cards(seat)[seat]) == 7
            gives_up = who != self.main and is_river
            wanted = ("fold", "check") if gives_up else ("raise", "bet", "complete", "call", "check", "bring-in")
            words = [offer.word for offer in offers]
            assert not self.say((who, next(word for word in (*wanted, *words) if word in words)), at=at)[0].refused

    def passed(self):
        """Return the net gain from others by gifts, losses and links, by (player, day), from the postings."""
        own = f"player:{self.casino}:"
        sql = """SELECT debit, credit, amount, CAST(at / 86400 AS INTEGER), why FROM postings
                 WHERE debit LIKE ? || '%' AND credit LIKE ? || '%'"""
        net: dict[tuple[int, int], int] = {}
        for debit, credit, amount, day, why in ask(self.house.books, sql, own, own):
            giver, taker = (int(account.removeprefix(own)) for account in (debit, credit))
            net[taker, day] = net.get((taker, day), 0) + amount
            if why != "linked":  # the giver is the same person by now
                net[giver, day] = net.get((giver, day), 0) - amount
        sql = "SELECT player, CAST(at / 86400 AS INTEGER), returned - wagered FROM results WHERE game = 'stud'"
        for who, day, won in ask(self.house.books, sql):
            net[who, day] = net.get((who, day), 0) + won
        return net

    def check(self):
        """Check the limits; return the gain of the main account, and the number of days."""
        passed, main = self.passed(), self.id(self.main)
        outside = [amount for amount in passed.values() if not -self.give_a_day <= amount <= self.take_a_day]
        assert not outside
        brought = sum(amount for (who, _day), amount in passed.items() if who == main)
        # The main account has no other chips: only these, those from the casino, and its own winnings from the bank.
        assert self.wallet(self.main) == brought + self.given(main) + self.won(main)
        assert self.house.faults() == []
        return brought, len({day for _who, day in passed})

    def given(self, who):
        """Return the chips from the mint, without those that went back."""
        sql = "SELECT coalesce(sum(amount), 0) FROM postings WHERE debit = ? AND credit = ?"
        account, mint = f"player:{self.casino}:{who}", f"mint:{self.casino}"
        return ask(self.house.books, sql, mint, account)[0][0] - ask(self.house.books, sql, account, mint)[0][0]

    def won(self, who):
        """Return the winnings from the banks and the meter."""
        sql = "SELECT coalesce(sum(returned - wagered), 0) FROM results WHERE player = ? AND game <> 'stud'"
        return ask(self.house.books, sql, who)[0][0]


class Lounge(Town):
    """The lounge's own casino, where names are free and nothing has to wait."""

    games = ("caribbean", "uth", "paiju", "blackjack", "stud")
    give_a_day = take_a_day = 10_000_00

    def settle(self):
        return [f"web:{TABLES[game]}" for game in self.games]

    def name(self, number):
        return f"p{number}@web:1"


@pytest.fixture
def build(tmp_path):
    built: list[Town] = []

    def make(kind, seed):
        built.append(kind(tmp_path / str(len(built)), seed))
        return built[-1]

    yield make
    for town in built:
        town.house.close()


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Town, Lounge])
def test_a_hundred_accounts_bring_to_one_no_more_than_the_budget_of_each_day(build, no_errors, kind):
    town = build(kind, seed=1)
    town.house.wait(DAY_S)
    town.live(1)
    brought, days = town.check()
    # They bring as much as they may, so that the bound is reached.
    assert days * town.take_a_day // 3 <= brought <= days * town.take_a_day


@pytest.mark.exhaustive
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("kind", "budget"), [(Town, 62_000_00), (Lounge, 310_000_00)])
def test_in_thirty_days_a_hundred_accounts_bring_to_one_no_more_than_the_budget(build, no_errors, kind, budget):
    town = build(kind, seed=2)
    town.live(30)
    brought, days = town.check()
    assert days <= 31
    assert budget // 2 <= brought <= budget


def test_from_the_bank_nothing_passes_what_a_box_pays_to_one_is_the_same_whoever_bets_beside_them():
    """A bet behind wins and loses for its owner alone, by the same cards (BJ13)."""
    chance, options = random.Random(7), blackjack.BlackJackOptions()
    for _ in range(200):
        deck = list(FRENCH * options.decks)
        chance.shuffle(deck)
        words = [chance.choice(["hit", "stand", "double", "split"]) for _ in range(40)]
        alone, beside = (paid(options, deck, words, bets) for bets in ({"p1": 2000}, {"p1": 2000, "p2": 50_000}))
        assert alone["1"] == beside["1"]
        assert beside["1/p2"] * 2000 == alone["1"] * 50_000


def paid(options, deck, words, bets):
    """Return each bettor's result on box 1, whose holder plays these words as far as possible."""
    stakes = tuple(Stake(1, player, {"main": bet}, follow=True) for player, bet in bets.items())
    hand, said = Hand(Deal("blackjack", options, stakes, tuple(deck))), iter(words)
    while hand.asks:
        seat, offers = next(iter(hand.asks.items()))
        offered = [offer.word for offer in offers]
        wanted = "decline" if "decline" in offered else next(said)
        hand = hand.play(Move(seat, wanted if wanted in offered else "stand"))
    wagered, returned = hand.wagered(), hand.returned()
    return {seat: sum(returned[seat].values()) - sum(spots.values()) for seat, spots in wagered.items()}
