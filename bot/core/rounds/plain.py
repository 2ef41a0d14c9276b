"""Plain hooks: a game against the bank where everyone has one seat and bets before the deal.

hooks=replace(PLAIN, after_deal=drop_coins)
"""

from bot.core.commands.hooks import CasinoHooks, Hooks
from bot.core.rounds import betting, playing

NO_CASINO = CasinoHooks(
    found=lambda transaction, casino, now: None,
    options=lambda casino, options: options,
    runs_out=lambda casino: None,
    tick=lambda transaction, casino, now: None,
    shift_clocks=lambda transaction, casino, step: None,
    waits=lambda casino: (),
    meter=lambda casino: None,
    reading=lambda transaction, casino: None,
)
"""Hooks of a game without state in the casino."""

PLAIN = Hooks(
    sit=betting.take_seat,
    leave=betting.leave_seat,
    bet=betting.bet,
    rebet=betting.repeat_bets,
    take_back_bets=betting.take_back_bets,
    ready=betting.mark_ready,
    send_away=betting.send_away,
    keep_out=lambda transaction, table, player, now: table,
    prices=lambda options: {},
    seat_of_bet=lambda request, table, words: None,
    check_seat=lambda request, table, seat: None,
    may_deal=lambda transaction, table: True,
    bets_s=lambda table: table.settings.betting_s,
    run_out=playing.deal_or_sleep,
    before_deal=lambda transaction, table, now: table,
    after_deal=lambda transaction, table, now: None,
    before_move=lambda transaction, table, move, now: [],
    before_payment=lambda transaction, table, now: table,
    payee=lambda transaction, table, seat: None,
    take_back=lambda transaction, table, now: table,
    after_hand=lambda transaction, table, hand, now: table,
    wake=lambda transaction, table, now: table,
    close=lambda transaction, table, now: table,
    shift_clocks=lambda table, step: table,
    dues=lambda hand, void_seats: {},
    casino=NO_CASINO,
)
