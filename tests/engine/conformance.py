"""Random deals of our games that are richer than those derived for `check-game`: options, side bets, stacks, boxes."""

from collections.abc import Callable, Mapping, Sequence
from random import Random

from bot.cli.game_checks.random_hands import deal_at_random, shuffle_deal
from engine.felt import Deal, Game, Options, Stake
from engine.games import GAMES

PLAYERS = ("anna", "bea", "carlo", "dino", "elsa", "fosco", "gina", "ugo")


def deal_caribbean(random: Random, game: Game) -> tuple[Options, list[Stake]]:
    options = {"procedure": random.choice(["shuffler", "manual"]), "irregular_bets": random.random() < 0.3}

    def bets() -> dict[str, int]:
        return {"ante": random.randrange(1000, 5000, 500)} | random.choice([{}, {"jackpot": 100}])

    return game.parse_options(options), seat_players(random, range(1, 8), bets)


def deal_uth(random: Random, game: Game) -> tuple[Options, list[Stake]]:
    options = {"procedure": random.choice(["shuffler", "manual"]), "nonqualify": random.choice(["venice", "us"])}

    def bets() -> dict[str, int]:
        return {"ante": random.randrange(500, 3000, 100)} | random.choice([{}, {"trips": 700}])

    return game.parse_options(options), seat_players(random, range(1, 7), bets)


def deal_paiju(random: Random, game: Game) -> tuple[Options, list[Stake]]:
    def bets() -> dict[str, int]:
        areas = random.sample(game.spots, random.randint(1, len(game.spots)))
        return {area: random.randrange(500, 3000, 100) for area in areas}

    return game.parse_options({}), seat_players(random, range(1, 12), bets)


def deal_blackjack(random: Random, game: Game) -> tuple[Options, list[Stake]]:
    """Deal boxes with holders, and bets behind some of them that follow or not; sometimes above the maximum."""
    options = {
        "decks": random.randint(1, 8),
        "maximum": random.choice([5000, 100000]),
        "hits_soft_17": random.random() < 0.5,
        "double_soft": random.random() < 0.5,
        "dealer_blackjack_takes": random.choice(["all", "original"]),
    }
    stakes = []
    for box in random.sample(range(1, 8), random.randint(1, 4)):
        for i, player in enumerate(random.sample(PLAYERS, random.randint(1, 3))):
            bets = {"main": random.randrange(1000, 4000, 1000)} | random.choice([{}, {"admiral": 1000}])
            stakes.append(Stake(box, player, bets, follow=i > 0 and random.random() < 0.6))
    return game.parse_options(options), sorted(stakes, key=lambda stake: stake.seat)


def deal_stud(random: Random, game: Game) -> tuple[Options, list[Stake]]:
    """Deal stud from the dealer's left, so that seats wrap; short stacks make side pots."""
    options = {"bring_in_may_complete": random.random() < 0.5, "lower": random.choice([400, 1000])}
    seats = sorted(random.sample(range(1, 9), random.randint(2, 8)))
    first = random.randrange(len(seats))
    deep = random.choice([300, 3000, 80000])
    return game.parse_options(options), [
        Stake(seat, player, {}, stack=random.randint(1, deep))
        for seat, player in zip(seats[first:] + seats[:first], PLAYERS, strict=False)
    ]


def deal_holdem(random: Random, game: Game) -> tuple[Options, list[Stake]]:
    """Deal hold'em from the dealer's left; short stacks, antes, dead small blinds and posts of returning players."""
    options = {
        "betting": random.choice(["no-limit", "pot-limit", "fixed-limit"]),
        "ante": random.choice([0, 0, 50, 200]),
        "ante_from": random.choice(["each", "big-blind"]),
        "unit": random.choice([1, 1, 50]),
    }
    seats = sorted(random.sample(range(1, 10), random.randint(2, len(PLAYERS))))
    first = random.randrange(len(seats))
    posts = [""] * len(seats)
    if len(seats) > 2:
        posts[0] = random.choice(["", "", "big"])
        posts[-1] = random.choice(["", "", "live", "both", "dead"])
    deep = random.choice([300, 3000, 80000])
    return game.parse_options(options), [
        Stake(seat, player, {}, stack=random.randint(1, deep) + (300 if post == "dead" else 0), post=post)
        for seat, player, post in zip(seats[first:] + seats[:first], PLAYERS, posts, strict=False)
    ]


DEALS: Mapping[str, Callable[[Random, Game], tuple[Options, list[Stake]]]] = {
    "caribbean": deal_caribbean,
    "uth": deal_uth,
    "paiju": deal_paiju,
    "blackjack": deal_blackjack,
    "stud": deal_stud,
    "holdem": deal_holdem,
}


def seat_players(random: Random, seats: Sequence[int], bets: Callable[[], dict[str, int]]) -> list[Stake]:
    taken = sorted(random.sample(seats, random.randint(1, min(len(seats), len(PLAYERS)))))
    return [Stake(seat, player, bets()) for seat, player in zip(taken, PLAYERS, strict=False)]


def random_deal(name: str, random: Random) -> Deal:
    """Return a legal deal of a game: by its function in DEALS, else as `check-game` deals."""
    game = GAMES[name]
    if name not in DEALS:
        return deal_at_random(name, random)
    options, stakes = DEALS[name](random, game)
    return shuffle_deal(game, options, stakes, random)
