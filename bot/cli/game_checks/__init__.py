"""Checks that every game must pass, wherever its package is installed: `ridotto check-game`, and the tests of games.

Each check yields a sentence for every fault: what is wrong, and what to do.
"""
