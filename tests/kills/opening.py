"""`python -m tests.kills.opening FOLDER`: a casino in which Anna and Bea seal a cut and Anna opens hers.

Once her opening is acknowledged, it prints the table and both cuts, and waits to be killed.
"""

import json
import sys
import threading
import time
from pathlib import Path

from bot.core.commands.command import Answer, Command, Who
from bot.core.state.place import Place
from bot.core.writer import Writer
from bot.games import load
from engine.fairness.seals import seal
from storage.sqlite import SqliteBooks
from tests.patience import PATIENCE_S, wait_until

BETTING_S = 20.0
CUTS = {"anna": "1a" * 32, "bea": "2b" * 32}


def main() -> None:
    load()
    skipped_s = 0.0
    writer = Writer(SqliteBooks(Path(sys.argv[1])), clock=lambda: time.time() + skipped_s, secret=bytes(32))
    table = next(id for id, one in writer.state.tables.items() if one.game == "caribbean")
    writer.start()

    def send(name: str, verb: str, *args: str) -> Answer:
        key = f"{name} {verb}"
        command = Command(key, Who("web", name, name), Place("web", str(table)), verb, args)
        answer = writer.submit(command).result(PATIENCE_S)
        assert not answer.refused, answer
        return answer

    for name, cut in CUTS.items():
        send(name, "bet", "10")
        send(name, "seal", seal(cut), writer.state.tables[table].round.commit)
    skipped_s = BETTING_S
    wait_until(lambda: writer.state.tables[table].awaits_cuts)
    send("anna", "open-cut", CUTS["anna"], writer.state.tables[table].round.commit)
    print(json.dumps({"table": table, **CUTS}), flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
