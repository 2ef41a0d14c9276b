"""Response times of the platforms' servers, as simulated by the test servers."""


def usual_way_s(number: int) -> float:
    """Return how long a platform takes for its call of this number: 20 to 40 ms mostly, 150 ms for one in sixteen.

    Varied, so that of two calls the second may arrive first, and the same in every run.
    """
    mixed = number * 2_654_435_761 % 2**32
    return 0.15 if mixed >> 28 == 0 else 0.02 + 0.02 * (mixed >> 12 & 0xFF) / 0xFF
