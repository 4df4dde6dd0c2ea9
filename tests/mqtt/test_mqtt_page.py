"""The page for integrators: what it shows is so."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from felt_daemon.journal import Kind
from felt_protocols import topics
from felt_protocols.events import EVENTS, KINDS
from felt_protocols.pictures.table import JournalPicture
from felt_simulators.listener import proved

PAGE = (Path(__file__).parents[2] / "docs" / "mqtt.md").read_text(encoding="utf-8")


def blocks() -> list[dict[str, Any]]:
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]


def test_the_event_on_the_page_proves_its_place_in_the_chain() -> None:
    [event] = [block for block in blocks() if "specversion" in block]
    assert proved(event)
    EVENTS["ruling-made"].model_validate_json(
        json.dumps({name: value for name, value in event["data"].items() if name != "context"})
    )


def test_every_attribute_of_the_event_on_the_page_is_explained() -> None:
    [event] = [block for block in blocks() if "specversion" in block]
    table = PAGE.partition("| attribute | what |")[2].partition("\n\n")[0]
    explained = set(re.findall(r"`(\w+)`", "".join(line.split("|")[1] for line in table.splitlines()[2:])))
    assert explained == set(event)


def test_the_journal_that_cannot_be_written_is_shown_as_the_model_has_it() -> None:
    [shown] = [block for block in blocks() if "journal" in block]
    assert JournalPicture.model_validate_json(json.dumps(shown["journal"])).kind == Kind.FULL
    chapter = PAGE.partition("### A journal that cannot be written")[2].partition("\n#")[0]
    assert [kind for kind in Kind if f"`{kind.value}`" not in chapter] == []


def test_every_topic_on_the_page_is_one() -> None:
    written = re.findall(r"^\| `(felt/1/\S+)`", PAGE, re.MULTILINE)
    assert written == [
        "felt/1/{table}/status",
        "felt/1/{table}/state",
        "felt/1/{table}/hold/{id}",
        "felt/1/{table}/device/{id}",
        "felt/1/{table}/event/{kind}",
        "felt/1/{table}/command/{name}",
        "felt/1/{table}/reply/{client}",
        "felt/1/{table}/ack/{consumer}",
        "felt/1/{table}/replay/{consumer}",
        "felt/1/{table}/private/{consumer}",
        "felt/1/floor/status",
    ]
    for topic in written[:-1]:
        names = {"table": "asia-1", "id": "7", "kind": "deck", "name": "sign", "client": "x"}
        assert topics.parse(topic.format(**names, consumer="pit")) is not None
    assert written[-1] == topics.FLOOR_STATUS


def test_every_kind_is_on_the_page() -> None:
    kinds = PAGE.partition("Kinds are ")[2].partition(".")[0]
    assert re.findall(r"`(\w+)`", kinds) == list(KINDS)
