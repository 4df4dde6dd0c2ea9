"""How long things take at a table, in seconds."""

from __future__ import annotations

BETTING_S = 20.0
SHAKE_S = 0.8
READ_S = 1.5
GLANCE_S = 1.0
STACK_S = 1.0
# One card from the shoe, and a hand of cards from the hand.
CARD_S = 0.7
BY_HAND_S = 3.0
DECIDE_S = 4.0
PLAYING_S = 45.0
# For so long the dealer waits for a permit or a device before doing something about it.
PATIENCE_S = 90.0
# For so long a dealer waits in mid-round for a machine to be repaired.
STOPPED_S = 400.0
