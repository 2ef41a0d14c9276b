"""How houses on the same books speak with each other: over TCP, each at an address that stands beside its leases.

Whoever has the houses' secret is one of them; it is on no wire, and neither is what could be said again.

    wire.py      one connection: who is at its other end, and frames that nobody else can have written
    answers.py   a command on its way there, and its answer on its way back
    carrying.py  a command to the house that keeps its casino's wing, wherever that goes meanwhile
    sharing.py   which house keeps which wings: each its fair share
    host.py      what a house does for others: it answers their commands, and takes in their people
    people.py    a browser's connection that came to another house
"""
