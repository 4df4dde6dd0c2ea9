"""One version, one list of pins, one page that says why each of them is there."""

import importlib.metadata
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

FOLDERS = ("protocols", "drivers", "daemon", "simulators")
OURS = {"felt-protocols", "felt-drivers", "felt-daemon", "felt-simulators"}


def project(root: Path, folder: str) -> dict[str, Any]:
    """Read a distribution's own account of itself."""
    document = tomllib.loads((root / folder / "pyproject.toml").read_text(encoding="utf-8"))
    table: dict[str, Any] = document["project"]
    return table


def declared(root: Path) -> list[Requirement]:
    """Read everything that the distributions, their builds and the tools ask for."""
    lines: list[str] = []
    for folder in FOLDERS:
        table = project(root, folder)
        lines += table["dependencies"]
        for extra in table.get("optional-dependencies", {}).values():
            lines += extra
        document = tomllib.loads((root / folder / "pyproject.toml").read_text(encoding="utf-8"))
        lines += document["build-system"]["requires"]
    wanted = (root / "script" / "requirements.txt").read_text(encoding="utf-8").splitlines()
    lines += [line.partition("#")[0] for line in wanted if line.partition("#")[0].strip()]
    return [Requirement(line) for line in lines]


def pins(root: Path) -> dict[str, str]:
    """Read the constraints."""
    lines = (root / "constraints.txt").read_text(encoding="utf-8").split()
    return {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in lines)}


def test_the_four_distributions_have_one_version(root: Path) -> None:
    versions = {project(root, folder)["version"] for folder in FOLDERS}
    told = {importlib.import_module(f"felt_{folder}").__version__ for folder in FOLDERS}
    assert len(versions) == 1
    assert told == versions


def test_the_changelog_begins_with_this_version(root: Path) -> None:
    first = re.search(r"^## (\S+)", (root / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert first is not None
    assert first.group(1) == project(root, "daemon")["version"]


def test_inner_requirements_are_exactly_this_version(root: Path) -> None:
    version = project(root, "daemon")["version"]
    inner = [str(one) for one in declared(root) if canonicalize_name(one.name) in OURS]
    assert inner
    assert {line.partition("==")[2] for line in inner} == {version}


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_distribution_says_what_it_needs(root: Path, folder: str) -> None:
    table = project(root, folder)
    assert table["requires-python"] == ">=3.11"
    assert table["license"] == "Apache-2.0"
    unbounded = [
        line
        for line in table["dependencies"]
        if canonicalize_name(Requirement(line).name) not in OURS and not re.search(r">=.*,<", line)
    ]
    assert unbounded == []


def test_everything_that_is_asked_for_is_pinned(root: Path) -> None:
    asked = {canonicalize_name(one.name): one for one in declared(root)}
    pinned = pins(root)
    assert [name for name in asked if name not in OURS and name not in pinned] == []
    assert [
        str(one)
        for name, one in asked.items()
        if name not in OURS and not one.specifier.contains(pinned[name])
    ] == []


def test_everything_that_is_installed_is_pinned(root: Path) -> None:
    pinned = pins(root)
    installed = {
        canonicalize_name(one.metadata["Name"]): one.version for one in importlib.metadata.distributions()
    }
    # pip is part of the Python that made the environment.
    strangers = {
        name: version
        for name, version in installed.items()
        if name not in OURS | {"pip"} and pinned.get(name) != version
    }
    assert strangers == {}


def test_every_dependency_is_accounted_for(root: Path) -> None:
    page = (root / "docs" / "dependencies.md").read_text(encoding="utf-8")
    accounted = {canonicalize_name(name) for name in re.findall(r"^\| `([\w.-]+)`", page, flags=re.MULTILINE)}
    asked = {canonicalize_name(one.name) for one in declared(root)} - OURS
    assert sorted(asked - accounted) == []
    assert sorted(accounted - asked) == []
