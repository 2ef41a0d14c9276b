"""Starts processes without their imports: each is a fork of this one, which has loaded the code and nothing else.

An input line is the next environment as JSON, with OUT and LOG for its output and log. An output line is a process
number; after its death another one says how it ended.
"""

import ctypes
import faulthandler
import json
import os
import signal
import sys
from importlib import import_module
from typing import NoReturn

import bot.games
from tests.kills.dying import main

PR_SET_PDEATHSIG = 1  # of sys/prctl.h


def _die_with_parent() -> None:
    """Make the process end with its parent, so that a killed test leaves none behind."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _live(environment: dict[str, str]) -> NoReturn:
    _die_with_parent()
    os.environ.clear()
    os.environ.update(environment)
    for number, name in enumerate((os.devnull, environment["OUT"], environment["LOG"])):
        file = os.open(name, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(file, number)
        os.close(file)
    faulthandler.register(signal.SIGUSR1)  # what each thread does, into LOG
    os._exit(main(["run"]))


if __name__ == "__main__":
    _die_with_parent()
    for name in (
        "bot.run",
        "bot.platforms.web.platform",
        "bot.platforms.discord.platform",
        "bot.platforms.telegram.platform",
    ):
        import_module(name)
    bot.games.load()
    for line in sys.stdin:
        child = os.fork()
        if not child:
            _live(json.loads(line))
        print(child, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
