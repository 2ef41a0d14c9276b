"""The worth of a deeper shoe to a perfect card counter, for the inspector who sets the option."""

# Of the largest bet, a hand: more than all areas together brought over 500 shoes (0.0001, nearly all of it for an
# égalité that pays nine, and nothing for punto and banco). Measured by `python -m tests.counted.puntobanco_counter`.
COUNTED_GAIN = 0.0003
