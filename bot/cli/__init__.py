"""Commands that run beside the casino: simulations of games, edges, the doctor, language checks."""
