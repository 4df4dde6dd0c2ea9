"""Games that nobody plays, small enough to follow by hand: one of stacks, one of single cards from a shoe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from felt_daemon.rules.library import parse_pack
from felt_daemon.table import set_up
from felt_protocols.events import person

from .felt import DEALER, FLOOR, Felt

if TYPE_CHECKING:
    from felt_daemon.rules import Pack

_SOURCE = """
phases = ["betting", "dealing"]

[source]
chapter = "998a"
game = "Small Game"
bulletin = "1 Pa.B. 1"
standing = "proposed"
since = 2030-01-01

[directives]

[[moves]]
from = ["betting"]
on = ["stack-dispensed", "card-drawn"]
to = "dealing"

[[moves]]
from = ["dealing"]
on = ["round-ended"]
to = "end"
"""
_WAYS = """
[methods]
by_default = { shuffle = "device", deal = "WAY", start = "START" }
[methods.shuffle.device]
says = "A machine shuffles."
[methods.start.left]
says = "From the left."
[methods.start.button]
says = "A button goes round."
[methods.start.generator]
says = "A generator shows a number."
[methods.start.shaker]
says = "Dice are shaken."
[methods.deal.WAY]
says = "It is dealt."
[methods.deal.other]
says = "It is dealt otherwise."
[reports.seats-playing]
says = "These positions play."
brief = "Who plays"
asks = ["seats"]
[reports.nothing-new]
says = "Nothing new."
brief = "Nothing"
[reports.hands-out]
says = "All hands are out."
brief = "Hands out"
asks = ["deck"]
deals = true
"""
# Three positions of two cards each and the dealer's two, in stacks, and one card more that is nobody's.
STACKS = (
    "rules = []\nfamilies = ['shoe', 'rng']\nconstants = { positions = 3, hand_cards = 2, deck_total = 12 }\n"
    + _SOURCE
    + _WAYS.replace("WAY", "automated-shoe").replace("START", "left")
    + """
[[patterns]]
deal = ["automated-shoe"]
unit = "stack"
steps = [{ to = "seats", cards = 2 }, { to = "dealer", cards = 2 }, { to = "extra" }]

[[gates]]
id = "deal"
family = "shoe"
per = "round"
order = "permit"
args = { round = "key", stacks = "hands_due", size = "hand_cards" }
needs = [{ when = "phase == 'betting'", says = "no bets" }]
"""
)
# Every position and the dealer get two cards in turn from the starting position on, which a button shows.
FROM_START = (
    "rules = []\nfamilies = ['shoe', 'rng', 'shaker']\n"
    "constants = { positions = 3, hand_cards = 2, deck_total = 12 }\n"
    "start = { min_shakes = 3, positions = 4, dice = 3, cite = [] }\n"
    + _SOURCE
    + _WAYS.replace("WAY", "automated-shoe").replace("START", "button")
    + """
[[patterns]]
deal = ["automated-shoe"]
unit = "stack"
start = "start-position"
steps = [{ to = "positions", cards = 2 }]
"""
)
# One card up to the dealer, two rounds to each position that plays and the dealer's second one face down.
SINGLES = (
    "rules = []\nfamilies = ['shoe', 'hole-card-reader', 'continuous-shuffler', 'shuffler']\n"
    "constants = { positions = 3, hand_cards = 2, deck_total = 104 }\nshuffles = 'each-shoe'\n"
    "notes = { up_card = ['ace', 'other'], peeked = ['yes'] }\n"
    "burns = { new_shoe = true, new_dealer = true }\n"
    "composition = { packs = 2, without = ['T'], jokers = 1 }\n"
    + _SOURCE
    + _WAYS.replace("WAY", "manual-shoe").replace("START", "left")
    + """
[reports.up-card-ace]
says = "The dealer shows an ace."
brief = "Ace up"
sets = { up_card = "ace" }

[[patterns]]
deal = ["manual-shoe"]
unit = "card"
steps = [
  { to = "dealer", face = "up" },
  { to = "seats", face = "up" },
  { to = "seats", face = "up" },
  { to = "dealer" },
]

[[sets]]
note = "peeked"
value = "yes"
on = ["hole-card-inserted"]

[[sets]]
note = "up_card"
value = "ace"
on = ["card-drawn"]
when = ["shown == true", "rank == 'A'", "last_to == 'dealer'"]

[[gates]]
id = "read"
family = "hole-card-reader"
per = "round"
lasts = "round"
order = "permit"
args = {}
needs = [{ when = "up_card == 'ace'", says = "the dealer shows no ace" }]
"""
)


def small_felt(text: str, **devices: str) -> Felt:
    """A table of a small game with these devices, each of a family; one deck called red."""
    pack: Pack = parse_pack(text)
    families = {name.replace("_", "-"): family for name, family in devices.items()}
    return Felt(pack, set_up(pack, table="t-1", devices=families, decks={"red": "red"}))


def open_small(text: str, **devices: str) -> Felt:
    """The same, opened: every device heard, the deck brought preshuffled."""
    felt = small_felt(text, **devices)
    felt.start()
    felt.connect()
    felt.tell(
        person.DeckChanged(by=FLOOR, deck="red", preshuffled=True),
        person.TableOpened(by=FLOOR),
    )
    return felt


def end_round(felt: Felt) -> None:
    """The dealer ends the round."""
    felt.tell(person.RoundEnded(by=DEALER))


def said(felt: Felt, name: str, fact: Any) -> object:  # noqa: ANN401 - any fact
    """What a condition of the game's pack reads under this name."""
    from felt_daemon.table.lookup import lookup_for  # noqa: PLC0415 - one place asks for it

    return lookup_for(felt.pack, felt.state, fact)(name)
