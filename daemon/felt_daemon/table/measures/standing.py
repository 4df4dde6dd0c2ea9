"""How rounds, decks and devices stand, as measures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.table.deal import hands_due
from felt_daemon.table.interlock import deck_held, locks
from felt_daemon.table.measures.registry import MEASURES, measure
from felt_daemon.table.state import GENERATOR, SHAKER
from felt_daemon.table.whereabouts import PLACES_IN, SHOE, aged, cards_believed_in, deck_in_shoe, is_of

if TYPE_CHECKING:
    from felt_daemon.rules.condition import Value
    from felt_daemon.table.focus import Focus
    from felt_daemon.table.state import Device, State
    from felt_protocols.events.deck import Place

# Links on which nothing is to be waited for.
_SILENT = {"lost", "refused"}
# The device family that each way to find the starting position waits for.
_STARTED_BY = {SHAKER: SHAKER, GENERATOR: "rng"}


def _of_round(name: str, docs: str, field: str = "") -> None:
    def of_round(state: State, _focus: Focus) -> Value:
        value: Value = getattr(state.round, field or name) if state.round else None
        return value

    of_round.__doc__ = docs
    MEASURES[name] = of_round


_of_round("bets_closed", "Whether `no more bets` was announced in this round.")
_of_round("shakes", "How often the covered shaker was shaken in this round since the dice were last read.")
_of_round("stacks", "Stacks that the shoe dispensed in this round.")
_of_round("hand", "Cards of the last hand that came out of the shoe, a card drawn out of turn included.")
_of_round("wrong_hands", "Hands of this round that got a wrong number of cards.")
_of_round("face_up_cards", "Cards seen face up in the shoe in this round.", "face_up")
_of_round("dice_total", "The total of the dice as they were last read, none if they could not be.", "total")
_of_round("shaken_after_deal", "Whether the shaker was covered and shaken once after the deal.")


@measure
def phase(state: State, _focus: Focus) -> Value:
    """The round's phase, 'none' between rounds."""
    return state.phase


@measure
def table(state: State, _focus: Focus) -> Value:
    """The table: 'closed', 'opening', 'open' or 'idle'."""
    return state.table


def cards_left(state: State) -> int | None:
    """Cards left after the deal, none while nobody has counted them.

    What the dealer counted goes before what the shoe says. A card that was found face up went to the discard
    rack during the deal and is one of those left; so is a single card that came out after the last hand.
    """
    now = state.round
    if now is None:
        return None
    if now.counted is not None:
        return now.counted + now.face_up
    # A stack more than there are hands lies somewhere on the table: only people can count it with the rest.
    hands = hands_due(state)
    if now.removed is None or (hands is not None and now.stacks > hands):
        return None
    return now.removed + now.face_up + now.single


@measure
def left(state: State, _focus: Focus) -> Value:
    """Cards left after the deal, none while nobody has counted them."""
    return cards_left(state)


@measure
def start_known(state: State, _focus: Focus) -> Value:
    """Whether the starting position of this round is determined."""
    return state.round is not None and state.round.start_seat is not None


@measure
def start_awaited(state: State, focus: Focus) -> Value:
    """Whether the starting position is not determined and a device is heard and sound that does it."""
    family = _STARTED_BY.get(state.method.get("start", SHAKER))
    return not start_known(state, focus) and any(
        one.family == family and one.link not in _SILENT and not (one.faults or one.aside)
        for one in state.devices.values()
    )


@measure
def deck(_state: State, focus: Focus) -> Value:
    """The deck concerned, none if unknown."""
    return focus.deck.id if focus.deck else None


@measure
def deck_shuffled(_state: State, focus: Focus) -> Value:
    """Whether the deck concerned has been shuffled since it was last dealt."""
    return focus.deck.shuffled if focus.deck else None


@measure
def deck_proved(_state: State, focus: Focus) -> Value:
    """Whether nothing else than this deck can be what the device holds."""
    return focus.deck.proved if focus.deck else None


@measure
def deck_dealt_last(state: State, focus: Focus) -> Value:
    """Whether the deck concerned was dealt last: in the round that is on, once it has cards, or before it."""
    now = state.round
    last = now.deck if now is not None and now.cards else state.last_deck
    return focus.deck is not None and focus.deck.id == last


@measure
def deck_dealt(state: State, focus: Focus) -> Value:
    """Whether cards of the deck concerned are out in this round; of any deck, where nobody knows which."""
    now = state.round
    if now is None or not now.cards:
        return False
    return focus.deck is None or now.deck in {"", focus.deck.id}


@measure
def deck_in_shuffler(_state: State, focus: Focus) -> Value:
    """Cards of the deck concerned that are in the shuffler."""
    return focus.deck.places["shuffler"] if focus.deck else None


@measure
def deck_left_in_shoe(_state: State, focus: Focus) -> Value:
    """Cards of the deck concerned that are in the shoe."""
    return focus.deck.places["shoe"] if focus.deck else None


@measure
def deck_quarter(state: State, _focus: Focus) -> Value:
    """A quarter of the cards of the stack that went into the shoe last, rounded up; none before."""
    return None if state.shoe_stack is None else -(-state.shoe_stack // 4)


@measure
def deck_counted_inside(_state: State, focus: Focus) -> Value:
    """Cards that must come out of the shuffler concerned: what it last counted of its batch.

    The whole deck where it counted none or too many; a wrong count has a rule of its own.
    """
    if focus.device is None or focus.deck is None:
        return None
    counted = focus.device.counted
    return focus.deck.total if counted is None else min(counted, focus.deck.total)


@measure
def other_deck_playable(state: State, focus: Focus) -> Value:
    """Whether some other deck is at the table and not held."""
    return any(
        one.present and not deck_held(state, one.id)
        for one in state.decks.values()
        if focus.deck is None or one.id != focus.deck.id
    )


@measure
def other_deck_in_rack(state: State, _focus: Focus) -> Value:
    """Cards in the discard rack of decks that are not the round's."""
    if state.round is None:
        return None
    # A card that is burnt before the round's first one is of the deck in the shoe.
    own = state.round.deck or deck_in_shoe(state)
    return sum(one.places["discard"] for one in state.decks.values() if one.id != own)


@measure
def other_deck_astray(state: State, _focus: Focus) -> Value:
    """Cards of other decks that may be played and are not in the shuffler, where one is heard and sound."""
    sound = any(
        one.family == "shuffler" and one.link not in _SILENT and not (one.faults or one.jam or one.aside)
        for one in state.devices.values()
    )
    if not sound or state.round is None:
        return 0
    own = state.round.deck or deck_in_shoe(state)
    return sum(
        one.total - one.places["shuffler"] - one.places["withdrawn"]
        for one in state.decks.values()
        if one.id != own and not deck_held(state, one.id)
    )


@measure
def family(_state: State, focus: Focus) -> Value:
    """The family of the device concerned."""
    return focus.device.family if focus.device else None


@measure
def device_working(_state: State, focus: Focus) -> Value:
    """Whether the shuffler concerned is in the middle of a shuffle."""
    return focus.device is not None and focus.device.working


@measure
def device_has_deck(_state: State, focus: Focus) -> Value:
    """Whether the shuffler concerned has a deck inside."""
    return focus.device is not None and focus.device.batch is not None


@measure
def shoe_deck(state: State, _focus: Focus) -> Value:
    """The deck in the shoe, none if the shoe is empty."""
    name = deck_in_shoe(state)
    places: set[Place] = {PLACES_IN[one.family] for one in state.devices.values() if is_of(one, SHOE)}
    return name if name and any(state.decks[name].places[place] for place in places) else None


@measure
def shoe_deck_shuffled(state: State, _focus: Focus) -> Value:
    """Whether the deck in the shoe has been shuffled since it was last dealt."""
    name = deck_in_shoe(state)
    return state.decks[name].shuffled if name else None


@measure
def permitted(state: State, focus: Focus) -> Value:
    """Whether the device concerned was given its permit for this round."""
    return any(
        grant.device == focus.device.id and state.round is not None and grant.key == str(state.round.number)
        for grant in state.grants.values()
        if focus.device is not None
    )


@measure
def clock_running(state: State, focus: Focus) -> Value:
    """Whether a clock of the device concerned is running."""
    return focus.device is not None and any(
        timer.partition("/")[2] == focus.device.id for timer in state.timers
    )


@measure
def device_in_trouble(_state: State, focus: Focus) -> Value:
    """Whether the device concerned has a jam or a fault that it has told of."""
    return focus.device is not None and bool(focus.device.jam or focus.device.faults)


@measure
def device_faulty(_state: State, focus: Focus) -> Value:
    """Whether the device concerned has a fault that it has told of; what its driver did is none."""
    return focus.device is not None and bool(focus.device.faults.keys() - {"driver"})


@measure
def device_refused(_state: State, focus: Focus) -> Value:
    """Whether the device concerned is not accepted."""
    return focus.device is not None and focus.device.link == "refused"


@measure
def shuffle_method(state: State, _focus: Focus) -> Value:
    """How cards are shuffled, a word of the pack."""
    return state.method.get("shuffle")


@measure
def deal_method(state: State, _focus: Focus) -> Value:
    """How cards are dealt, a word of the pack."""
    return state.method.get("deal")


@measure
def deal_before(state: State, _focus: Focus) -> Value:
    """How cards were dealt before the ways were last chosen, a word of the pack; none if they never were."""
    return state.deal_before or None


@measure
def start_method(state: State, _focus: Focus) -> Value:
    """How the starting position is found, a word of the pack."""
    return state.method.get("start")


@measure
def bets_told(state: State, _focus: Focus) -> Value:
    """What tells that bets are closed: 'told' by people, a word of the pack, 'advice' where nothing does."""
    return state.setup.told.get("no-more-bets", "told")


@measure
def deck_prepared(_state: State, focus: Focus) -> Value:
    """Whether the deck concerned came preshuffled or was washed since it came or was last spread."""
    return None if focus.deck is None else focus.deck.preshuffled or "washed" in focus.deck.marks


@measure
def deck_withdrawn(_state: State, focus: Focus) -> Value:
    """Cards of the deck concerned that were withdrawn and not replaced."""
    return focus.deck.places["withdrawn"] if focus.deck else None


@measure
def deck_on_hold(state: State, focus: Focus) -> Value:
    """Whether a hold keeps the deck concerned from something; one that only reminds of it does not."""
    return focus.deck is not None and any(
        hold.subject == "deck" and hold.subject_id == focus.deck.id and hold.gates
        for hold in state.holds.values()
    )


@measure
def deck_in_doubt(state: State, focus: Focus) -> Value:
    """Whether a trouble of a device left a doubt about the deck concerned that keeps it from nothing."""
    if focus.deck is None:
        return False
    doubts = (
        state.incidents.get(hold.incident)
        for hold in state.holds.values()
        if hold.subject == "deck" and hold.subject_id == focus.deck.id and not hold.gates
    )
    return any(about is not None and about.subject == "device" for about in doubts)


@measure
def deck_clocks(state: State, focus: Focus) -> Value:
    """Clocks of the deck concerned that are running."""
    if focus.deck is None:
        return None
    return sum(timer.partition("/")[2] == focus.deck.id for timer in state.timers)


@measure
def aged_decks(state: State, _focus: Focus) -> Value:
    """Decks at the table of which a clock has run out since they came."""
    return len(aged(state))


@measure
def clock(_state: State, focus: Focus) -> Value:
    """The clock whose time is over or not known, none where it is no clock that tells."""
    return focus.clock or None


@measure
def deck_verified(_state: State, focus: Focus) -> Value:
    """Whether the last count of the deck concerned, by a device or by hand, was its full number."""
    return None if focus.deck is None else focus.deck.count == "count verified"


@measure
def device_contradicts(_state: State, focus: Focus) -> Value:
    """Whether a shuffler counted every card of the deck concerned since it was last dealt."""
    return focus.deck is not None and focus.deck.device_counted


@measure
def device_sound(_state: State, focus: Focus) -> Value:
    """Whether the device concerned is heard and tells of no jam and no fault."""
    one = focus.device
    return one is not None and one.link == "ready" and not (one.jam or one.faults)


@measure
def device_signed(_state: State, focus: Focus) -> Value:
    """Whether the device concerned is covered or has an out-of-order sign."""
    return focus.device is not None and bool(focus.device.sign)


@measure
def inspected_today(state: State, focus: Focus) -> Value:
    """Whether the device concerned was found in order in this gaming day, none where no day is known."""
    if not state.gaming_day:
        return None
    return focus.device is not None and focus.device.inspected == state.gaming_day


@measure
def device_cards_believed(state: State, focus: Focus) -> Value:
    """Cards that are believed to be in the device concerned."""
    return None if focus.device is None else sum(cards_believed_in(state, focus.device).values())


def unusable(state: State, one: Device) -> bool:
    """Whether a device cannot be used: faulty, jammed, lost, refused, out of use, or held for a cause."""
    if one.faults.keys() - {"driver"} or one.jam or one.retired or one.link in _SILENT:
        return True
    return any(
        hold.subject == "device" and hold.subject_id == one.id and hold.cause and locks(state, hold)
        for hold in state.holds.values()
    )
