"""The real daemon's journal: a table is played as a program, and its incidents are told and handed on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ..hosted.played_scenario import journal_of  # noqa: TID252 - tests are no package that could be named

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import Felt


@pytest.mark.long
@pytest.mark.parametrize("scenario", ["shoe-jam", "kill-while-held"])
def test_every_incident_of_a_played_table_is_told_and_its_bundle_is_sound(
    felt: Felt, tmp_path: Path, scenario: str
) -> None:
    journal = journal_of(scenario, tmp_path / "run")
    code, out, _ = felt("incident", "list", "--journal", journal, "--json")
    assert code == 0
    found = json.loads(out)["incidents"]
    assert found
    for one in found:
        code, out, _ = felt("incident", "show", str(one["number"]), "--journal", journal)
        assert (code, one["says"].split()[0] in out) == (0, True)
        assert felt("incident", "export", str(one["number"]), "--journal", journal, "--to", tmp_path)[0] == 0
        code, out, _ = felt("journal", "verify", tmp_path / f"incident-{one['table']}-{one['number']}.zip")
        assert (code, "faults: none" in out) == (0, True)
