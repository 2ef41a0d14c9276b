"""Answers to players' questions: help, rules, odds, lessons, and the hands that they have played."""
