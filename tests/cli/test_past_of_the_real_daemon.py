"""The real daemon's journal, killed and started again in between, is decided again and explained."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ..hosted.played_scenario import journal_of  # noqa: TID252 - tests are no package that could be named

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Asked = Callable[..., tuple[int, str, str]]


@pytest.mark.long
@pytest.mark.parametrize("scenario", ["shoe-jam", "kill-while-held"])
def test_what_the_daemon_decided_comes_out_again_and_every_ruling_has_its_reason(
    ask_felt: Asked, tmp_path: Path, scenario: str
) -> None:
    journal = journal_of(scenario, tmp_path / "run")
    code, out, _ = ask_felt("journal", "replay", journal)
    assert (code, out.splitlines()[-1]) == (0, "every decision comes out as it was recorded")
    _, out, _ = ask_felt("journal", "show", journal, "--type", "ruling-made", "--json")
    rulings = json.loads(out)["rows"]
    assert rulings
    for row in rulings:
        code, out, _ = ask_felt("explain", row["seq"], "--journal", journal, "--json")
        found = json.loads(out)
        assert code == 0
        assert found["rule"]["id"] == row["public"]["row"]
        assert all(one["holds"] for one in found["rule"]["fired"][0]["conditions"])
