"""The platforms: each makes commands of updates and messages of screens, on common parts."""
