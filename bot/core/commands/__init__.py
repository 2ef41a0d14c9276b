"""Language of commands and answers: commands, amounts, names, offers."""
