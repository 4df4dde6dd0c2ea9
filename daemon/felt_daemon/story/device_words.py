"""What rows of devices and decks say, in plain sentences."""

from __future__ import annotations

from felt_daemon.story.phrase import Body, Sentence, counted, of_deck, seat_words, seats_words, where
from felt_daemon.story.span import length, plural

_INTERRUPTED = {
    "jam": "jammed",
    "stopped": "stopped in a shuffle",
    "incomplete": "did not complete its cycle",
}


def _card(body: Body) -> str:
    if not (body["face_up"] or body.get("shown")):
        return f"One card came out of {body['device']} face down."
    how = "face up" if body["face_up"] else "and was dealt face up"
    name = " of ".join(str(body[part]) for part in ("rank", "suit") if body.get(part))
    return f"A card came out of {body['device']} {how}{': ' + name if name else ''}."


def _dice(body: Body) -> str:
    faces = ", ".join(str(face) if face else "unreadable" for face in body["faces"])
    lying = "" if body["flat"] else "; not all lie flat"
    inside = "" if body["inside"] else "; not all are inside"
    return f"{body['device']} read the dice: {faces}{lying}{inside}."


def _order(body: Body) -> str:
    return f"Order to {body['device']}: {body['order']} (gate {body['gate']}, for {body['key']})."


def _answered(body: Body) -> str:
    why = f": {body['why']}" if body.get("why") else ""
    return f"{body['device']} answered order {body['order']}: {body['result']}{why}."


def _lost(body: Body) -> str:
    whys = {"silent": "it is silent", "link": "its line is gone", "never-seen": "it was never seen"}
    return f"{body['device']} is lost: {whys.get(body['why'], body['why'])}."


def _hole_card(body: Body) -> str:
    shown = "a BLACKJACK" if body["blackjack"] else "no Blackjack"
    return f"{body['device']} shows {shown}."


def _wager(body: Body) -> str:
    how = "lies on the sensor of" if body["present"] else "is gone from the sensor of"
    return f"A progressive wager {how} {seat_words(body['seat'])} ({body['device']})."


def _key(body: Body) -> str:
    return f"The key {body['which']} of {body['device']} was turned {'on' if body['on'] else 'off'}."


def _health(body: Body) -> str:
    test = f" ({body['test']})" if body.get("test") else ""
    return f"{body['device']} says of itself: {body['state']}{test}."


def _composition(body: Body) -> str:
    if body["right"]:
        return f"The cards of deck {body['deck']} are the right ones."
    kinds = [("foreign", "with another back"), ("missing", "missing"), ("extra", "too many")]
    found = [f"{plural(body[name], 'card')} {words}" for name, words in kinds if body.get(name)]
    return f"Deck {body['deck']} is NOT made of the right cards{': ' if found else ''}{', '.join(found)}."


def _moved(body: Body) -> str:
    return f"{plural(body['count'], 'card')} of deck {body['deck']}: {body['source']} to {body['target']}."


DEVICE_WORDS: dict[str, Sentence] = {
    # shoes
    "shoe-loaded": lambda b: f"Cards{of_deck(b)} were put into {b['device']}{counted(b)}.",
    "card-drawn": _card,
    "stack-dispensed": lambda b: (
        f"{b['device']} dispensed a stack of {plural(b['size'], 'card')}{of_deck(b)}."
    ),
    "cover-card-drawn": lambda b: f"The cover card came out of {b['device']}.",
    "shoe-jammed": lambda b: f"{b['device']} JAMMED{where(b)}.",
    "shoe-stopped": lambda b: f"{b['device']} STOPPED dealing cards.",
    "shoe-emptied": lambda b: f"{b['device']} has no card left.",
    "shoe-unloaded": lambda b: f"The cards{of_deck(b)} were taken out of {b['device']}{counted(b)}.",
    "cards-returned": lambda b: f"Played cards are in {b['device']} again{counted(b)}.",
    # hole-card readers
    "hole-card-inserted": lambda b: f"The hole card was put into {b['device']}.",
    "hole-card-read": _hole_card,
    "hole-card-unreadable": lambda b: f"{b['device']} could NOT read the hole card: {b['why']}.",
    "hole-card-removed": lambda b: f"The hole card was taken out of {b['device']}.",
    "reader-tampered": lambda b: (
        f"The case of {b['device']} {'was OPENED' if b['open'] else 'is closed again'}."
    ),
    # progressive stations
    "progressive-bet": _wager,
    "start-game-pressed": lambda b: f"Start Game was pressed at {b['device']}.",
    "progressive-bets-locked": lambda b: (
        f"{b['device']} took the progressive wagers of {seats_words(b['seats'])}."
    ),
    "late-bet-seen": lambda b: (
        f"A progressive wager of {seat_words(b['seat'])} came after {b['device']} had locked;"
        " it does not count."
    ),
    "locked-bet-removed": lambda b: (
        f"A progressive wager that {b['device']} had taken is GONE from {seat_words(b['seat'])}."
    ),
    "progressive-hand": lambda b: f"A winning hand of {seat_words(b['seat'])} was keyed in: {b['rank']}.",
    "key-turned": _key,
    # shufflers and decks
    "deck-loaded": lambda b: f"Cards were put into {b['device']} (batch {b['batch']}){counted(b)}.",
    "shuffle-started": lambda b: f"{b['device']} began to work on batch {b['batch']}{of_deck(b)}.",
    "shuffle-completed": lambda b: (
        f"{b['device']} completed a {b['mode']} of batch {b['batch']}{of_deck(b)}{counted(b)}."
    ),
    "shuffle-interrupted": lambda b: (
        f"{b['device']} {_INTERRUPTED[b['why']]}{where(b)}, batch {b['batch']}{of_deck(b)}."
    ),
    "deck-unloaded": lambda b: f"Batch {b['batch']}{of_deck(b)} was taken out of {b['device']}{counted(b)}.",
    "inside-counted": lambda b: f"{b['device']} counts {plural(b['count'], 'card')} inside.",
    "batch-mapped": lambda b: (
        f"Batch {b['batch']} in {b['device']} is taken to be deck {b['deck']}: {b['how']}."
    ),
    "shoe-mapped": lambda b: f"The cards in {b['device']} are taken to be deck {b['deck']}: {b['how']}.",
    "cards-moved": _moved,
    "deck-marked": lambda b: f"Deck {b['deck']}: {b['mark']}.",
    "composition-judged": _composition,
    # devices
    "device-connected": lambda b: f"{b['device']} is connected ({b['model']} {b['serial']}).",
    "device-restarted": lambda b: f"{b['device']} RESTARTED: what it counted in memory is void.",
    "device-refused": lambda b: f"{b['device']} was not accepted: {b['why']}.",
    "device-drained": lambda b: f"All that {b['device']} had kept has arrived.",
    "device-stale": lambda b: f"{b['device']} has been silent for {length(b['silent_ms'] / 1000)}.",
    "device-lost": _lost,
    "device-back": lambda b: f"{b['device']} is heard again.",
    "device-faulted": lambda b: f"{b['device']} reports the fault {b['code']}{where(b)}.",
    "device-cleared": lambda b: (
        f"{b['device']} reports {'the fault ' + b['code'] if b['code'] else 'the jam'} cleared{where(b)}."
    ),
    "door-moved": lambda b: f"A door of {b['device']} was {'opened' if b['open'] else 'closed'}.",
    "light-shown": lambda b: f"{b['device']} shows {b['colour']}.",
    "events-lost": lambda b: f"{b['device']} lost its events {b['first']} to {b['last']} for ever.",
    "order-leaked": lambda b: (
        f"{b['device']} offered the order of undealt cards; its bytes were dropped unread."
    ),
    "interlock-unconfirmed": lambda b: (
        f"{b['device']} does not show an inhibit sent {b['after_ms']} ms before."
    ),
    "inhibit-found": lambda b: f"{b['device']} is inhibited for a reason of its own: {b['why']}.",
    "lease-lapsed": lambda b: f"{b['device']} inhibited itself: its permit was not renewed.",
    "inspection-due": lambda b: f"{b['device']} was not inspected in the gaming day {b['day']}.",
    "order-issued": _order,
    "order-answered": _answered,
    "service-ended": lambda b: f"The service of {b['device']} is over.",
    # the shaker and the generator
    "shaker-shaken": lambda b: f"{b['device']} was shaken.",
    "shaker-uncovered": lambda b: f"{b['device']} was uncovered.",
    "shaker-covered": lambda b: f"{b['device']} was covered.",
    "shaker-left-unattended": lambda b: f"Nobody has been at {b['device']} for {length(b['seconds'])}.",
    "dice-read": _dice,
    "number-drawn": lambda b: f"{b['device']} drew the number {b['number']}.",
    "generator-health-told": _health,
    "start-position-set": lambda b: f"Dealing starts at {seat_words(b['seat'])}.",
    "start-position-withdrawn": lambda b: f"The starting position does not count: {b['row']}.",
}
