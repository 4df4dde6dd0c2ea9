"""What a dealer may do wrong, once, because a scenario says so."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

LAPSES: Mapping[str, str] = MappingProxyType(
    {
        "one-shake": "shakes the dice once instead of three times",
        "bets-open": "uncovers the dice before announcing no more bets",
        "draws-early": "does not announce no more bets, and draws from a shoe without a lock",
        "no-last-shake": "does not shake the dice after the deal",
        "same-deck": "puts the deck that was just dealt into the shoe again",
        "no-wait": "takes the deck out of the shuffler without waiting for the shuffle",
        "look-twice": "lifts the lid again after the starting position is known",
        "plays-on": "lays the other deck aside after the round and goes on with the one that was dealt",
        "leaves-in-rack": "leaves the deck that was dealt in the discard rack after the round",
        "mixes-decks": "lays a card of each deck with the other as they change places",
        "no-seats": "does not tell who plays",
        "one-card-more": "deals one card more than there should be to the first hand",
        "one-card-fewer": "deals one card fewer than there should be to the last hand",
        "skips-seat": "deals nothing to the first seat that should have cards",
        "no-count": "does not count the cards that are left, or the deck, when it is time for it",
        "no-lock": "deals the draws before announcing that all decisions are locked in",
        "no-start-game": "does not press Start Game before the deal",
        "start-game-early": "presses Start Game before announcing no more bets",
        "no-collect": "leaves the wagers that Start Game lit on their sensors",
        "no-cut": "does not let the stack be cut before it goes into the shoe",
        "short-shoe": "puts 30 cards into the shoe and the others into the rack",
        "no-burn": "does not burn the first card of a new shoe, or of a new dealer",
        "past-the-cover": "plays another round after the one in which the cover card came",
        "own-card-missed": "forgets a card of the dealer's own in the deal",
        "one-card-only": "deals the first seat one card where it should have two",
        "card-not-dealt": "does not deal a card that a player asked for",
        "card-in-error": "draws a card that nobody asked for, unseen, and says so",
        "card-exposed": "draws a card that nobody asked for and shows it, and says so",
        "draws-on-17": "draws a card with 17 or more",
        "no-reader": "does not put the hole card into the reader where the up card calls for it",
        "reader-in-error": "puts the hole card into the reader where the up card does not call for it",
        "insurance-open": "puts the hole card into the reader before insurance is closed",
        "wagers-open": "puts the hole card into the reader before the optional wagers are settled",
        "plays-after-blackjack": "deals on although the reader shows a Blackjack",
        "bust-it-late": "draws another card before the Bust It wagers are settled by the third",
        "third-card-early": "deals a third card before House Money wagers are settled",
        "no-call": "draws the first card of a coup from a shoe without a lock before the call for cards",
        "no-draw-told": "deals the draws of Badugi before telling that the betting round is complete",
    }
)
# What a dealer who is in this hurry does not wait for the shuffler with.
HURRIED = frozenset({"no-wait", "same-deck", "plays-on"})
# What one who does not wait for the shoe's lamp does.
TOO_EARLY = ("draws-early", "no-call")
