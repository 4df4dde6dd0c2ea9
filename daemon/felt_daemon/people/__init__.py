"""Who people and systems are, and how they prove it: the register, PINs and signatures.

`register` is the file's content, `book` follows the file while it changes, `store` writes it, `changes` are
what `felt keys` does to it. `pins` checks a PIN in a child process (`check`), `tries` slows guessing down.
Not imported here, as they load libraries of several MB: `argon`, for `felt keys`, and `signed`, which says
who signed a command, for the publisher's process.
"""

from felt_daemon.people.book import Book
from felt_daemon.people.pins import PinUnchecked, check_pin
from felt_daemon.people.register import (
    BrokenRegister,
    Entry,
    Holder,
    Key,
    NoRegister,
    Register,
    RegisterError,
)
from felt_daemon.people.tries import Tries

__all__ = [
    "Book",
    "BrokenRegister",
    "Entry",
    "Holder",
    "Key",
    "NoRegister",
    "PinUnchecked",
    "Register",
    "RegisterError",
    "Tries",
    "check_pin",
]
