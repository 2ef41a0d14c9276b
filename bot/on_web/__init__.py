"""The lounge: tables, rules, histories and the operator's page in a browser."""
