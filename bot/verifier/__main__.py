"""`python3 ridotto-verify.pyz`: the verifier as one file, for people who have Python and trust no casino."""

import sys
from collections.abc import Sequence

from bot.verifier.command_line import BAD, Parser
from bot.verifier.commands import check_log_at, verify

# Exit status of a command that SIGINT ended, as shells report it.
_INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status. Errors of the call are one line on standard error."""
    parser = Parser("ridotto-verify", description="Check the records and the log of a Ridotto casino.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    records = "a record or an array of records as JSON; - is standard input"
    checked = commands.add_parser("verify", help="Check hand records: commitment, deck, moves, payouts, log, beacon.")
    checked.add_argument("file", metavar="FILE", help=records)
    checked.add_argument("--house", metavar="HEX", help="the casino's key, which the commitment must name")
    chain = "the beacon's /info, if it is not quicknet"
    checked.add_argument("--chain", metavar="FILE|JSON", help=chain)
    log = commands.add_parser("log", help="Check the whole log of a casino.")
    log.add_argument("action", choices=["check"], help="check: every entry and tree head, and every deadline")
    log.add_argument(
        "source", metavar="FILE|URL", help="entries and tree heads as JSON lines, or the address of a casino's log"
    )
    log.add_argument("--seen", metavar="FILE", help="tree heads seen earlier, as JSON lines with their times")
    log.add_argument("--chain", metavar="FILE|JSON", help=chain)
    arguments = parser.parse_args(argv)
    try:
        if arguments.command == "verify":
            return verify(arguments.file, arguments.house, arguments.chain)
        return check_log_at(arguments.source, arguments.seen, arguments.chain)
    except KeyboardInterrupt:
        return _INTERRUPTED
    except OSError as fault:
        print(f"ridotto-verify: {fault}", file=sys.stderr)
        return BAD


if __name__ == "__main__":
    sys.exit(main())
