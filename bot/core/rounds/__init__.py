"""One round at a table, from the first bet to the payment, and how the books keep it."""
