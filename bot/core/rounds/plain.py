"""The plain hooks: a game against the bank where everybody has a seat of his own and bets before the deal.

hooks=replace(PLAIN, after_deal=drop_coins)
"""

from bot.core.commands.hooks import CasinoHooks, Hooks
from bot.core.rounds import betting, playing

NO_CASINO = CasinoHooks(
    found=lambda paper, casino, now: None,
    options=lambda casino, options: options,
    runs_out=lambda casino: None,
    tick=lambda paper, casino, now: None,
    shift_clocks=lambda paper, casino, step: None,
    waits=lambda casino: (),
    meter=lambda casino: None,
    reading=lambda paper, casino: None,
)
"""Nothing is kept for a casino."""

PLAIN = Hooks(
    sit=betting.take_seat,
    leave=betting.leave_seat,
    bet=betting.bet,
    send_away=betting.send_away,
    keep_out=lambda paper, table, player: table,
    prices=lambda options: {},
    seat_of_bet=lambda request, table, words: None,
    check_seat=lambda request, table, seat: None,
    may_deal=lambda paper, table: True,
    bets_s=lambda table: table.settings.betting_s,
    run_out=playing.deal_or_sleep,
    before_deal=lambda paper, table, now: table,
    after_deal=lambda paper, table, now: None,
    before_move=lambda paper, table, move, now: [],
    before_payment=lambda paper, table, now: table,
    payee=lambda paper, table, seat: None,
    take_back=lambda paper, table, now: table,
    after_hand=lambda paper, table, hand, now: table,
    wake=lambda paper, table, now: table,
    close=lambda paper, table, now: table,
    shift_clocks=lambda table, step: table,
    dues=lambda hand, void_seats: {},
    casino=NO_CASINO,
)
