"""The platforms' ways in: each makes commands of updates and messages of screens, on what the kit has for all."""
