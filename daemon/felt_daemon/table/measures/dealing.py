"""How the deal stands, what has been counted, and what devices recognised, as measures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.table import deal, interlock
from felt_daemon.table.measures.registry import measure
from felt_daemon.table.measures.standing import permitted, unusable
from felt_daemon.table.state import BY_HAND, CONTINUOUS, CUT, HAND_DEAL
from felt_daemon.table.whereabouts import SHOE, is_of

if TYPE_CHECKING:
    from felt_daemon.rules.condition import Value
    from felt_daemon.table.focus import Focus
    from felt_daemon.table.state import State

READER = "hole-card-reader"


@measure
def seats_playing(state: State, _focus: Focus) -> Value:
    """Positions that get cards in this round, none while nobody has said so."""
    now = state.round
    return None if now is None or now.seats is None else len(now.seats)


@measure
def cards_due(state: State, _focus: Focus) -> Value:
    """Cards that the deal of this round takes by its pattern, none where that is not known."""
    return deal.cards_due(state)


@measure
def hands_due(state: State, _focus: Focus) -> Value:
    """Stacks of this round, or hands where cards come one by one; none where that is not known."""
    return deal.hands_due(state)


@measure
def stacks_due(state: State, _focus: Focus) -> Value:
    """Stacks that a shoe gives in this round; none where it gives single cards, and where it is not known."""
    return None if deal.single_cards(state) else deal.hands_due(state)


@measure
def stack_size(state: State, _focus: Focus) -> Value:
    """Cards of each stack that a shoe gives, none where it gives single cards."""
    return None if deal.single_cards(state) else state.setup.hand_cards


@measure
def cards_dealt(state: State, _focus: Focus) -> Value:
    """Cards of this round that came out, burnt ones and those found face up not among them."""
    return state.round.cards if state.round else None


@measure
def players_dealt(state: State, _focus: Focus) -> Value:
    """Whether every position that gets cards has all those of the deal; none where nobody knows.

    Nor does anybody where the shoe may have given cards that it told nobody of.
    """
    unseen = state.round is not None and state.round.unseen
    return None if unseen else deal.players_dealt(state)


@measure
def next_to(state: State, _focus: Focus) -> Value:
    """Who gets what comes out next: 'positions', 'seats', 'dealer', 'player', 'banker', 'extra' or none."""
    share = deal.next_share(state)
    return share.to if share else None


@measure
def last_to(state: State, _focus: Focus) -> Value:
    """Who got the card or the stack that came out last, as `next_to` has it; none past the deal's end."""
    share = deal.last_share(state)
    return share.to if share else None


@measure
def last_face(state: State, _focus: Focus) -> Value:
    """How the card that came out last lies by the pattern: 'up', 'down' or none."""
    share = deal.last_share(state)
    return share.face if share else None


@measure
def card_is(state: State, _focus: Focus) -> Value:
    """What the card was that came out last.

    'deal', 'more' (past the deal's end), 'card' (of a deal whose end nobody knows), 'stack' (a whole one),
    'burn', 'face-up', 'out-of-turn' (beside the stacks) or 'stray' (out of a shoe that is not dealt from, a
    card or a stack); none where it was in no round.
    """
    return state.drawn or None


@measure
def last_hand_wrong(state: State, _focus: Focus) -> Value:
    """Whether the last stack was a hand with a wrong number of cards."""
    return state.round is not None and state.round.last_wrong


@measure
def burns_due(state: State, _focus: Focus) -> Value:
    """Cards that go to the discard rack before any other is dealt."""
    return state.burns


@measure
def round_void(state: State, _focus: Focus) -> Value:
    """Whether the round is void."""
    return state.round is not None and bool(state.round.void)


@measure
def left_due(state: State, _focus: Focus) -> Value:
    """Cards that must be left of the deck after what has been dealt; none before a card is out.

    A card that was found face up is one of those left.
    """
    now = state.round
    if now is None or not now.cards:
        return None
    withdrawn = state.decks[now.deck].places["withdrawn"] if now.deck in state.decks else 0
    return state.setup.deck_total - now.cards - withdrawn


@measure
def left_least(state: State, focus: Focus) -> Value:
    """Fewest cards that may be left of the deck after what has been dealt; none before a card is out.

    It is `left_due`, less one where every hand is out and a progressive wager is on, or nobody tells of one:
    a card of the rest may lie at a place of its own.
    """
    left = left_due(state, focus)
    laid = deal.all_dealt(state) and progressive_bets(state, focus) != 0
    return left - laid if isinstance(left, int) else None


def _stub_due(state: State) -> int | None:
    now = state.round
    if now is None or not now.cards:
        return None
    due = deal.cards_due(state)
    withdrawn = state.decks[now.deck].places["withdrawn"] if now.deck in state.decks else 0
    return state.setup.deck_total - (now.cards if due is None else due) - withdrawn


@measure
def stub_due(state: State, _focus: Focus) -> Value:
    """Cards that must be left of the deck after a deal that gave every hand its number of cards.

    Where nobody has said who plays, what the shoe gave is taken for that. None before a card is out.
    """
    return _stub_due(state)


@measure
def stub_due_less_one(state: State, _focus: Focus) -> Value:
    """The same less one: where a card of the rest was laid on a place of its own."""
    due = _stub_due(state)
    return None if due is None else due - 1


@measure
def rounds_since_count(state: State, _focus: Focus) -> Value:
    """Rounds with cards since cards were last counted; one that is on counts once it is over."""
    return state.rounds_uncounted


@measure
def rounds_since_deck_count(state: State, _focus: Focus) -> Value:
    """Rounds with cards since a whole deck was last counted; one that is on counts once it is over."""
    return state.rounds_deck_uncounted


@measure
def shuffler_counts(state: State, focus: Focus) -> Value:
    """Whether a shuffler that counts is used: it counted the deck concerned when last shuffled.

    Where a fact names no deck, the round's. Of a deck that had no shuffle here, whether the table's shuffler
    counted the last one that it shuffled.
    """
    about = focus.deck or (state.decks.get(state.round.deck) if state.round else None)
    if about is not None and about.shuffle_counted is not None:
        return about.shuffle_counted
    return state.method.get("shuffle") != BY_HAND and any(
        one.family == "shuffler" and one.counts and not (one.aside or one.sign)
        for one in state.devices.values()
    )


@measure
def cards_unseen(state: State, _focus: Focus) -> Value:
    """Whether a shoe restarted or lost events in this round, so that it may have given more than it told."""
    return state.round is not None and state.round.unseen


@measure
def cards_may_be_out(state: State, _focus: Focus) -> Value:
    """Whether cards of this round are dealt, or nobody can tell: people deal, or the shoe is not heard."""
    if state.round is None:
        return False
    if state.round.cards or state.round.unseen or state.phase == HAND_DEAL:
        return True
    return any(is_of(one, SHOE) and not one.aside and one.link != "ready" for one in state.devices.values())


@measure
def deck_of_last_round(state: State, focus: Focus) -> Value:
    """Whether the deck concerned was dealt in the last round with cards that is over."""
    return focus.deck is not None and focus.deck.id == state.last_deck


@measure
def left_to_draw(state: State, focus: Focus) -> Value:
    """Cards that can still be drawn: those left, without the ones found face up, which are in the rack."""
    left = left_due(state, focus)
    return left - state.round.face_up if isinstance(left, int) and state.round else None


@measure
def shoe_fitted(state: State, _focus: Focus) -> Value:
    """Whether the table has a shoe that tells of its cards and is not out of use."""
    return any(one.family == "shoe" and not one.retired for one in state.devices.values())


@measure
def progressive_bets(state: State, _focus: Focus) -> Value:
    """Positions with a progressive wager in this round, none where the table has no station in use."""
    devices = state.devices.values()
    stations = [one for one in devices if one.family == "progressive-station" and not one.retired]
    return sum(len(one.wagers) for one in stations) if stations else None


@measure
def inside_due(state: State, _focus: Focus) -> Value:
    """Cards that must be inside the continuous shuffler: all but those that are known to be elsewhere."""
    places = [one.places["shuffler"] for one in state.decks.values() if one.present]
    return sum(places) if places else None


@measure
def deck_composition(_state: State, focus: Focus) -> Value:
    """What a recognising device found of the deck concerned: 'verified', 'wrong' or 'not verified'."""
    return focus.deck.composition if focus.deck else None


@measure
def deck_foreign(_state: State, focus: Focus) -> Value:
    """Cards with another back that a recognising device found in the deck concerned."""
    return focus.deck.foreign if focus.deck else None


@measure
def deck_missing(_state: State, focus: Focus) -> Value:
    """Cards of the deck concerned that are not where the last count wants them, none without one."""
    if focus.deck is None or focus.device is None or focus.device.counted is None:
        return None
    return focus.deck.total - focus.device.counted


@measure
def may_deal(state: State, focus: Focus) -> Value:
    """Whether the device concerned has its permit for this round and nothing stops it."""
    about = focus.device
    return about is not None and bool(permitted(state, focus)) and about.id not in interlock.inhibits(state)


@measure
def device_in_use(state: State, focus: Focus) -> Value:
    """Whether the house deals from the device concerned: a continuous shuffler has a way of its own."""
    without_end = state.method.get("deal") == CONTINUOUS
    return focus.device is not None and (focus.device.family == CONTINUOUS) is without_end


@measure
def shoe_due(state: State, _focus: Focus) -> Value:
    """Cards that must have been in the shoe when it was last emptied, none before."""
    return state.shoe_due


@measure
def deck_cut(_state: State, focus: Focus) -> Value:
    """Whether people have reported the cut of the deck concerned since its shuffle."""
    return None if focus.deck is None else CUT in focus.deck.marks


@measure
def stack_from(state: State, focus: Focus) -> Value:
    """Who had the deck concerned before it went into the shoe: 'shuffler' or 'people'; none without a deck.

    Of a deck that a shuffler had last, people who shuffle by hand have had it since.
    """
    if focus.deck is None:
        return None
    given_out = any(
        one.family == "shuffler" and one.deck == focus.deck.id and one.batch is None
        for one in state.devices.values()
    )
    return "shuffler" if given_out and state.method.get("shuffle") != BY_HAND else "people"


@measure
def unsigned_shoe(state: State, _focus: Focus) -> Value:
    """Whether a shoe cannot be used and is neither covered nor signed."""
    return any(
        one.family == "shoe" and not one.sign and unusable(state, one) for one in state.devices.values()
    )


@measure
def unsigned_shuffler(state: State, _focus: Focus) -> Value:
    """Whether a shuffler, continuous or not, cannot be used and is neither covered nor signed."""
    return any(
        one.family in {"shuffler", CONTINUOUS} and not one.sign and unusable(state, one)
        for one in state.devices.values()
    )


@measure
def reader_heard(state: State, _focus: Focus) -> Value:
    """Whether a hole-card reader is in use at the table, heard and without a fault."""
    return any(
        one.family == READER and one.link == "ready" and not (one.faults or one.aside)
        for one in state.devices.values()
    )


@measure
def reader_there(state: State, _focus: Focus) -> Value:
    """Whether the table has a hole-card reader that is not set aside, heard or not."""
    return any(one.family == READER and not one.aside for one in state.devices.values())


@measure
def reader_missing(state: State, _focus: Focus) -> Value:
    """Whether the table's hole-card readers are all set aside, covered or under a sign."""
    readers = [one for one in state.devices.values() if one.family == READER]
    return bool(readers) and all(one.aside or one.sign for one in readers)


@measure
def deck_looked_at(_state: State, focus: Focus) -> Value:
    """Whether the first player has had a look at the deck concerned since it was last spread."""
    return None if focus.deck is None else "looked" in focus.deck.marks
