"""The repository, seen from outside."""

import subprocess
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    """Give the checkout's folder."""
    return _ROOT


@pytest.fixture(scope="session")
def tracked() -> list[Path]:
    """Give every file under version control that is there; all files of a tree without git."""
    listed = subprocess.run(  # noqa: S603 - no word of it comes from outside
        ["git", "-C", _ROOT, "ls-files", "-z"],  # noqa: S607 - whichever git there is
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode == 0:
        names = [_ROOT / name for name in listed.stdout.split("\0") if name]
    else:
        names = [path for path in _ROOT.rglob("*") if not {".venv", "__pycache__"} & set(path.parts)]
    return [path for path in names if path.is_file()]


@pytest.fixture(scope="session")
def sources(tracked: list[Path]) -> list[Path]:
    """Give every Python file of the four distributions."""
    packages = {"felt_protocols", "felt_drivers", "felt_daemon", "felt_simulators"}
    return [path for path in tracked if path.suffix == ".py" and packages & set(path.parts)]
