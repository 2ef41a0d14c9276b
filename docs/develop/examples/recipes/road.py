from dataclasses import replace

from bot.core.rounds.plain import PLAIN
from bot.core.state.plays import GameMemory, Play
from bot.core.state.table import Table
from bot.core.state.transaction import Transaction
from engine.hand import Hand


class Road(GameMemory, frozen=True):
    results: tuple[str, ...] = ()


def add_result(transaction: Transaction, table: Table, hand: Hand, now: float) -> Table:
    if hand.is_void:
        return table
    return table.change_memory(results=(*table.kept(Road).results, str(hand.facts["winner"]))[-60:])


def road(table: Table) -> tuple[str, ...]:
    return table.kept(Road).results


PLAY = Play(seats=6, memory=Road)
HOOKS = replace(PLAIN, after_hand=add_result)
