"""The vocabulary of faults: written, understood, refused, and striking once or each time."""

from __future__ import annotations

import pytest

from felt_simulators.chance import seeded
from felt_simulators.faults import KINDS, Fault, Faults, UnknownFault


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("jam", Fault("jam", 0)),
        ("jam=20", Fault("jam", 20)),
        ("miscount=-1", Fault("miscount", -1)),
        ("miscount=1,lasting", Fault("miscount", 1, lasting=True)),
        ("line-drop=3,lasting,chance=20", Fault("line-drop", 3, lasting=True, chance=20)),
        ("unusable=belt", Fault("unusable", "belt")),
        ("light", Fault("light", "red")),
        ("sort-mode", Fault("sort-mode", None)),
    ],
)
def test_a_fault_is_read_as_it_is_written(text: str, fault: Fault) -> None:
    assert Fault.parse(text) == fault


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("jamm", "no fault is called jamm; there are jam, double-jam, stop"),
        ("", "no fault is called ;"),
        ("jam=twenty", "jam takes which card from the load on, 0: any, not 'twenty'"),
        ("jam=", "jam takes which card from the load on, 0: any, not ''"),
        ("sort-mode=1", "sort-mode takes no argument"),
        ("jam,for-ever", "write lasting or chance=PERCENT after the comma, not 'for-ever'"),
        ("jam,chance=0", "the chance of jam is 1 to 100 percent, not 0"),
        ("jam,chance=101", "the chance of jam is 1 to 100 percent, not 101"),
    ],
)
def test_what_is_no_fault_is_refused_with_what_would_be_right(text: str, says: str) -> None:
    with pytest.raises(UnknownFault) as refusal:
        Fault.parse(text)
    assert str(refusal.value).startswith(says)


@pytest.mark.parametrize("name", KINDS)
def test_every_fault_can_be_written_without_an_argument_and_says_what_it_does(name: str) -> None:
    kind = KINDS[name]
    assert Fault.parse(name).value == kind.usual
    assert kind.what
    assert bool(kind.argument) is (kind.usual is not None)
    assert kind.families


def test_a_fault_strikes_once_and_a_lasting_one_each_time() -> None:
    faults = Faults("shuffler", seeded(1))
    faults.set(Fault("miscount", 1))
    faults.set(Fault("sort-mode", lasting=True))
    assert faults.strike("miscount", 1.0) == Fault("miscount", 1)
    assert faults.strike("miscount", 2.0) is None
    assert faults.strike("sort-mode", 3.0) == Fault("sort-mode", lasting=True)
    assert faults.strike("sort-mode", 4.0) == Fault("sort-mode", lasting=True)
    faults.lift("sort-mode")
    assert faults.strike("sort-mode", 5.0) is None
    assert faults.struck == [
        {"name": "miscount", "value": 1, "at": 1.0},
        {"name": "sort-mode", "value": None, "at": 3.0},
        {"name": "sort-mode", "value": None, "at": 4.0},
    ]


def test_a_chance_of_a_fifth_strikes_about_every_fifth_time() -> None:
    faults = Faults("line", seeded(1))
    faults.set(Fault("line-drop", 1, lasting=True, chance=20))
    struck = sum(faults.strike("line-drop", 0.0) is not None for _ in range(1000))
    assert 150 < struck < 250


def test_a_device_refuses_the_fault_of_another_family() -> None:
    faults = Faults("shaker", seeded(1))
    with pytest.raises(UnknownFault, match="a shaker cannot have the fault jam"):
        faults.set(Fault("jam", 1))
