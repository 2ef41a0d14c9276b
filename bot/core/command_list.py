"""The commands of the casino, listed with the modules that define them; those of games are added as the games load.

Slash commands, menus, the help, the lounge's command line and the matrix of who may use what are made from this list.
"""

from collections.abc import Callable, Iterable

from bot.core.admin import auditing, inspectors, invitations, renaming, settings
from bot.core.casinos import log_file, mentions, notify, places, recap, share, sharing, tournaments
from bot.core.commands.internal_commands import InternalCommand
from bot.core.commands.registry import CommandFlag, CommandSpec
from bot.core.guide import coach, deal_of_the_day, history, leaderboards, lessons, questions, statement
from bot.core.guide import helping as guide
from bot.core.players import linking, self_limits, sessions, wallets
from bot.core.rounds import (
    betting,
    cash_table,
    moves_ahead,
    playing,
    reveal_command,
    sealing,
    show_cards,
    standing_orders,
)

CHAT_COMMANDS: dict[str, CommandSpec] = {}
"""{name: command} of all typed commands, in the order of menus."""


def add_commands(verbs: Iterable[CommandSpec], game: str = "") -> None:
    """Add commands, of a game where one is named. Raises ValueError for a name that is taken; then none is added."""
    added = {verb.name: verb._replace(game=game) for verb in verbs}
    for name in added:
        if name in CHAT_COMMANDS:
            raise ValueError(f"there is already a command {name}")
    CHAT_COMMANDS.update(added)


add_commands(
    (
        self_limits.pause,
        wallets.balance,
        wallets.daily,
        wallets.give_chips,
        statement.statement,
        history.history,
        wallets.stats,
        wallets.rank,
        leaderboards.leaderboard,
        sharing.show_casino,
        sharing.set_rule,
        sharing.give_code,
        sharing.join,
        sharing.leave,
        sharing.mirror,
        sharing.reset,
        betting.sit,
        betting.leave,
        betting.rebet,
        betting.take_back,
        betting.ready,
        betting.cut,
        cash_table.buy_in,
        cash_table.top_up,
        cash_table.refill,
        cash_table.post,
        cash_table.sit_out,
        cash_table.back,
        tournaments.list_all,
        tournaments.create,
        tournaments.join,
        tournaments.leave,
        tournaments.status,
        tournaments.go_back,
        show_cards.show_hidden_cards,
        coach.odds,
        coach.coach,
        coach.review,
        lessons.learn,
        deal_of_the_day.deal,
        deal_of_the_day.play,
        deal_of_the_day.results,
        mentions.mentions,
        standing_orders.standing,
        moves_ahead.choose,
        playing.bet,
        places.choose,
        places.set_up,
        notify.notify,
        recap.recap,
        share.share,
        log_file.send,
        linking.link,
        linking.unlink,
        auditing.ban,
        auditing.unban,
        auditing.adjust,
        auditing.export,
        questions.table_here,
        questions.tables,
        questions.cards,
        questions.verify,
        questions.language,
        questions.rules,
        questions.paytable,
        inspectors.open_here,
        inspectors.close,
        inspectors.pause,
        inspectors.resume,
        inspectors.set_here,
        inspectors.list_all,
        tournaments.schedule,
        tournaments.postpone,
        tournaments.cancel,
        tournaments.remove,
        inspectors.void,
        inspectors.grant,
        inspectors.take_chips,
        inspectors.add_inspector,
        inspectors.remove_inspector,
        inspectors.audit,
        invitations.make_private,
        invitations.invite,
        invitations.invite_here,
        invitations.accept,
        renaming.reset_name,
        settings.settings,
        reveal_command.squeeze,
        reveal_command.decide,
        guide.help,
    )
)

# Sent only by pages, for their players.
PAGE_COMMANDS = {verb.name: verb for verb in (sealing.SEAL, sealing.OPEN_CUT)}

INTERNAL_COMMANDS: dict[str, Callable[[InternalCommand], None]] = {
    named.name: named.run
    for named in (
        places.arrive,
        places.enter,
        places.show_further,
        places.hold_tournament,
        places.call_on,
        places.open_own,
        places.note,
        places.note_first,
        places.entrust,
        places.speak,
        places.posted,
        places.lose,
        places.regain,
        places.away,
        places.back,
        places.move,
        notify.noticed,
        sessions.sign_in,
        sessions.rename,
        sessions.let_in,
        sessions.turn_token,
        sessions.see_browser,
        sessions.sign_out,
        sessions.keep_phrase,
    )
}
"""{name: internal command} of platforms, which cannot be typed."""


def has_flag(name: str, flag: CommandFlag) -> bool:
    """Return whether a command, as it was typed, has any of these flags; False for an unknown one."""
    return name in CHAT_COMMANDS and flag.value & CHAT_COMMANDS[name].flags.value != 0


def is_inspectors(name: str) -> bool:
    """Return whether a command is for inspectors; False for an unknown one."""
    return name in CHAT_COMMANDS and CHAT_COMMANDS[name].group == "inspectors"


def moves_chips(name: str) -> bool:
    """Return whether a command bets, pays, or decides for a casino. Moves of a dealt hand do not count."""
    decides = name in CHAT_COMMANDS and CHAT_COMMANDS[name].group in ("chips", "inspectors")
    return has_flag(name, CommandFlag.STAKING) or (decides and not has_flag(name, CommandFlag.LINKABLE))
