"""How people speak to the house and it to them: commands, amounts, names, offers, answers."""
