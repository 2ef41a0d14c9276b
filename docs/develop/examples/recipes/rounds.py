from bot.core.commands.stages import Places, stages_of_rounds
from engine.hand import Hand


def is_flop_open(hand: Hand) -> int:
    return int("board" in hand.cards(None))


STAGES = stages_of_rounds(is_flop_open, last=1, moves=Places(("fold call raise",)))
