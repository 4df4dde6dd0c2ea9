"""What a box gets: the wheels, installed where there is no checkout."""

import importlib.metadata
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

OURS = ("felt-protocols", "felt-drivers", "felt-daemon")
# What the program `felt` does.
FELT = "import sys; from felt_daemon.cli import main; sys.exit(main())"


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a program where nothing of the checkout is found."""
    return subprocess.run(command, cwd="/", env={}, capture_output=True, text=True, check=False)  # noqa: S603 - ours


def needed(wanted: Requirement, known: set[tuple[str, str]]) -> Iterator[importlib.metadata.Distribution]:
    """Follow requirements from the environment of the tests, each distribution and extra once."""
    name = canonicalize_name(wanted.name)
    found = importlib.metadata.distribution(name)
    for extra in ("", *wanted.extras):
        if (name, extra) in known:
            continue
        known.add((name, extra))
        if name not in OURS and not extra:
            yield found
        for line in found.requires or ():
            one = Requirement(line)
            if one.marker is None or one.marker.evaluate({"extra": extra}):
                yield from needed(one, known)


@pytest.fixture(scope="module")
def wheels(root: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Build the four wheels."""
    folder = tmp_path_factory.mktemp("wheels")
    members = [root / name for name in ("protocols", "drivers", "daemon", "simulators")]
    pip = (sys.executable, "-m", "pip", "--quiet")
    built = run(
        *pip, "wheel", "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, *members
    )
    assert built.returncode == 0, built.stderr
    return sorted(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def box(wheels: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the daemon and what it asks for, nothing else; give the folder of its programs."""
    folder = tmp_path_factory.mktemp("box") / "feltd"
    return installed(folder, Requirement("felt-daemon"), OURS, wheels)


@pytest.fixture(scope="module")
def floor(wheels: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install what a program of the floor asks for, nothing else; give the folder of its programs."""
    folder = tmp_path_factory.mktemp("floor") / "system"
    return installed(folder, Requirement("felt-protocols[floor]"), ("felt-protocols",), wheels)


def installed(folder: Path, wanted: Requirement, ours: tuple[str, ...], wheels: list[Path]) -> Path:
    """Make an environment with what is asked for, and nothing else; give the folder of its programs.

    What others wrote is copied from here: the test needs no network, and finds what nobody declared.
    """
    venv.create(folder, with_pip=False)
    library = next((folder / "lib").glob("python*")) / "site-packages"
    for distribution in needed(wanted, set()):
        for file in distribution.files or ():
            if not file.parts[0].startswith(".."):
                target = library / file
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(str(file.locate()), target)
    for wheel in wheels:
        if canonicalize_name(wheel.name.partition("-")[0]) in ours:
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(library)
    return folder / "bin"


def test_there_are_four_of_them_with_types_and_without_tests(wheels: list[Path]) -> None:
    assert [wheel.name for wheel in wheels] == [
        "felt_daemon-0.1.0-py3-none-any.whl",
        "felt_drivers-0.1.0-py3-none-any.whl",
        "felt_protocols-0.1.0-py3-none-any.whl",
        "felt_simulators-0.1.0-py3-none-any.whl",
    ]
    for wheel in wheels:
        package = wheel.name.partition("-")[0]
        with zipfile.ZipFile(wheel) as archive:
            names = archive.namelist()
        assert f"{package}/py.typed" in names
        beside = {"felt_mqtt", "felt_floor"} if package == "felt_protocols" else set[str]()
        assert {name.partition("/")[0] for name in names} == {package, f"{package}-0.1.0.dist-info"} | beside
        assert {f"{one}/py.typed" for one in beside} <= set(names)


@pytest.mark.long
def test_the_daemon_alone_checks_the_example(box: Path, root: Path) -> None:
    checked = run(box / "python", "-c", FELT, "check-config", root / "examples/asia-poker.toml")
    assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.long
def test_the_daemon_alone_knows_the_rules(box: Path) -> None:
    told = run(box / "python", "-c", FELT, "rules", "explain", "659a.13(m)")
    assert told.returncode == 0
    assert "659a.13(m)" in told.stdout


@pytest.mark.long
def test_every_module_of_the_daemon_can_be_imported(box: Path) -> None:
    program = (
        "import importlib, pkgutil, felt_daemon, felt_drivers, felt_mqtt, felt_protocols\n"
        "for package in (felt_daemon, felt_drivers, felt_mqtt, felt_protocols):\n"
        "    for module in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):\n"
        "        if not module.name.endswith('__main__'):\n"
        "            importlib.import_module(module.name)\n"
    )
    imported = run(box / "python", "-c", program)
    assert (imported.returncode, imported.stderr) == (0, "")


@pytest.mark.long
def test_the_floor_needs_neither_daemon_nor_keys(floor: Path) -> None:
    used = run(floor / "python", "-c", "import felt_floor; felt_floor.Floor('broker', consumer='pit')")
    assert (used.returncode, used.stderr) == (0, "")
    for package in ("felt_daemon", "felt_drivers", "felt_simulators", "cryptography"):
        assert run(floor / "python", "-c", f"import {package}").returncode == 1


@pytest.mark.long
def test_the_schemas_come_along(floor: Path) -> None:
    program = "from felt_protocols import schemas; print(schemas.envelope_schema()['$id'])"
    assert run(floor / "python", "-c", program).stdout == "urn:felt:schema:message:envelope:1\n"


@pytest.mark.long
def test_no_simulator_is_on_the_box(box: Path) -> None:
    imported = run(box / "python", "-c", "import felt_simulators")
    assert imported.returncode == 1
    assert "No module named 'felt_simulators'" in imported.stderr
