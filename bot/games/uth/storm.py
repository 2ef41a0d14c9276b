"""Ultimate Texas Hold'em in a storm."""

from bot.tools.storm.games import Storm

STORM = Storm(
    bets=("bet {amount}", "bet ante {amount} trips 5", "bet trips {amount}"),
    open_cards={"dealer": 0, "board": 5, "burn": 0, "": 0},
    says=("standing play-pairs",),
    inspects=("table set nonqualify us storm", "table set procedure manual storm", "table set seats 4 storm"),
)
