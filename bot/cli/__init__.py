"""What is run beside the house: simulations of games, edges, the doctor, checks of languages."""
