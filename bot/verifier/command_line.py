"""Exit statuses and the parser of both command lines, `ridotto` and `ridotto-verify`."""

import argparse
from typing import NoReturn

FINE, FAILED, BAD = 0, 1, 2


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Exit with the error in one line, without the usage."""
        self.exit(BAD, f"{self.prog}: {message}\n")
