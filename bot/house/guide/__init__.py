"""What players can ask: help, rules, odds, lessons, and the hands that they have played."""
