"""The verifier: records and logs held against their house's promises. It needs engine and the standard library alone.

Where a library for it is installed, the signature of a beacon's round is checked as well (`bot.verifier.quicknet`).
"""
