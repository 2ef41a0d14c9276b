"""7 Card Stud in a storm: stacks that are bought, added to and taken along."""

from bot.tools.storm.games import Storm

STORM = Storm(
    bets=(
        "buyin 80",
        "buyin 200",
        "buyin 200",
        "buyin 400",
        "buyin 400",
        "buyin max",
        "topup 100",
        "sit",
        "back",
        "back",
    ),
    open_cards={"board": 1, "": 4},  # SH3: two down, four up, one down
    says=("topup 20", "topup max", "sitout", "back"),
    inspects=(
        "table set bring_in_may_complete on storm",
        "table set reveal_after 0 storm",
        "table set reveal_after 24 storm",
        "table set seats 6 storm",
    ),
)
