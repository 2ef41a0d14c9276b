"""`/log`: the casino's whole log as a file, for checks elsewhere."""

from functools import partial

from bot.core.commands.command import Answer, Beside
from bot.core.commands.registry import CommandFlag, Request, command
from bot.core.rounds import log_proofs
from bot.texts import Text
from storage.questions import logs

# The largest file that every platform accepts.
MOST_BYTES = 8 * 2**20


@command("log", Text("Get this casino's signed log, to check it"), group="knowing", flags=CommandFlag.LINKABLE)
def send(request: Request) -> Answer:
    """Send the casino's log as JSON lines: entries, then heads. Contains no secrets; read outside the writer."""
    line = Text("The log of this casino: check it with “ridotto log check FILE”.")
    return Answer((line,), report=partial(_answer_with_log, casino=request.casino.id))


def _answer_with_log(beside: Beside, casino: int) -> Answer:
    log = logs.log(beside.books, casino)
    if log is None or log_proofs.newest_head(beside.books, log) is None:
        return Answer((Text("It is not signed yet. Try again in a moment."),))
    lines, size = list[str](), 0
    for line in log_proofs.lines(beside.books, log):
        lines.append(line)
        size += len(line) + 1
        if size > MOST_BYTES:
            return Answer(
                (Text("It is too long for a file here. Read it in the lounge at /log/{casino}.", casino=casino),)
            )
    return Answer(file=(f"log-{casino}-{log.number}.jsonl", "\n".join([*lines, ""])))
