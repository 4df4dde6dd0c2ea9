"""A machine that lacks something is told what, in the words of its package manager."""

import shutil
import subprocess
from pathlib import Path

import pytest

# What script/bootstrap takes from the machine, beside Python.
TOOLS = (
    "bash",
    "dirname",
    "sha256sum",
    "cut",
    "cat",
    "sed",
    "flock",
    "mktemp",
    "rm",
    "sleep",
    "tail",
    "mkdir",
    "ln",
)

# Python that is new enough and lacks venv; and one that has it, whose pip installs nothing.
WITHOUT_VENV = """case $2 in
  *platform*) echo 3.12.9 ;;
  *sys.version_info\\[*) echo 3.12 ;;
  *ensurepip*) exit 1 ;;
esac"""
WITH_VENV = """case $2 in
  *platform*) echo 3.12.9 ;;
  venv) mkdir -p "$4/bin"; ln -sf "$0" "$4/bin/python" ;;
esac"""
WITHOUT_NETWORK = WITH_VENV.replace("esac", "  pip) echo 'no route to host' >&2; exit 1 ;;\nesac")


@pytest.fixture
def checkout(root: Path, tmp_path: Path) -> Path:
    """Make a checkout with nothing but what script/bootstrap looks at, in a folder with a space."""
    copy = tmp_path / "a checkout"
    (copy / "script").mkdir(parents=True)
    for name in ("script/bootstrap", "script/requirements.txt", "constraints.txt"):
        shutil.copy(root / name, copy / name)
    for folder in ("protocols", "drivers", "daemon", "simulators"):
        (copy / folder).mkdir()
        shutil.copy(root / folder / "pyproject.toml", copy / folder)
    return copy


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """Make a PATH with the usual tools and no Python."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for tool in TOOLS:
        found = shutil.which(tool)
        assert found is not None, f"no {tool} on this machine"
        (folder / tool).symlink_to(found)
    return folder


def program(folder: Path, name: str, text: str) -> None:
    """Put a shell script into the PATH."""
    path = folder / name
    path.write_text(f"#!{folder}/bash\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


def bootstrap(checkout: Path, programs: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run it from a foreign folder."""
    return subprocess.run(  # noqa: S603 - no word of it comes from outside
        [checkout / "script" / "bootstrap", *arguments],
        cwd="/",
        env={"PATH": str(programs)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_python_it_names_the_packages(checkout: Path, programs: Path) -> None:
    done = bootstrap(checkout, programs)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == (
        "script/bootstrap: no Python found; feltd needs Python 3.11 or later.\n"
        "  Debian, Raspberry Pi OS:  sudo apt install python3 python3-venv\n"
    )


def test_with_an_old_python_it_says_which(checkout: Path, programs: Path) -> None:
    program(programs, "python3", 'case $1 in --version) echo "Python 3.9.2" ;; *) exit 1 ;; esac')
    done = bootstrap(checkout, programs)
    assert done.returncode == 1
    assert done.stderr.splitlines()[0] == (
        "script/bootstrap: feltd needs Python 3.11 or later, and python3 is Python 3.9.2."
    )


def test_a_newer_python_beside_an_old_one_is_found(checkout: Path, programs: Path) -> None:
    program(programs, "python3", "exit 1")
    program(programs, "python3.12", WITHOUT_VENV)
    done = bootstrap(checkout, programs)
    assert done.returncode == 1
    assert f"this Python ({programs}/python3.12) cannot make virtual environments." in done.stderr


def test_without_venv_it_names_the_package(checkout: Path, programs: Path) -> None:
    program(programs, "python3", WITHOUT_VENV)
    done = bootstrap(checkout, programs)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-3:] == [
        f"script/bootstrap: this Python ({programs}/python3) cannot make virtual environments.",
        "  Debian, Raspberry Pi OS:  sudo apt install python3-venv",
        "  If that is installed already:  sudo apt install python3.12-venv",
    ]
    assert not (checkout / ".venv").exists()


def test_what_pip_says_is_shown_when_it_fails(checkout: Path, programs: Path) -> None:
    program(programs, "python3", WITHOUT_NETWORK)
    done = bootstrap(checkout, programs)
    assert done.returncode == 1
    assert "the build backends . failed\nno route to host\nscript/bootstrap: this failed: pip_install" in (
        done.stderr
    )
    assert list((checkout / ".venv").glob(".stamp-*")) == []


def test_an_installation_that_is_current_is_left_alone(checkout: Path, programs: Path) -> None:
    program(programs, "python3", WITH_VENV)
    first, second = bootstrap(checkout, programs), bootstrap(checkout, programs)
    assert (first.returncode, second.returncode) == (0, 0)
    assert "feltd's four distributions" in first.stderr
    assert second.stderr == ""

    with (checkout / "constraints.txt").open("a", encoding="utf-8") as constraints:
        constraints.write("one-more==1.0\n")
    third = bootstrap(checkout, programs)
    assert "feltd's four distributions" in third.stderr


@pytest.mark.long
def test_a_checkout_that_was_moved_is_set_up_anew(checkout: Path, programs: Path) -> None:
    program(programs, "python3", WITH_VENV)
    assert "a virtual environment" in bootstrap(checkout, programs).stderr
    moved = checkout.rename(checkout.parent / "elsewhere")
    assert f"Setting feltd up in {moved}/.venv" in bootstrap(moved, programs).stderr
    assert bootstrap(moved, programs).stderr == ""


@pytest.mark.long
def test_the_tools_of_the_tests_are_a_stamp_of_their_own(checkout: Path, programs: Path) -> None:
    program(programs, "python3", WITH_VENV)
    assert bootstrap(checkout, programs).returncode == 0
    with_tools = bootstrap(checkout, programs, "--dev")
    assert "the tools of script/test" in with_tools.stderr
    assert bootstrap(checkout, programs, "--dev").stderr == ""
    assert bootstrap(checkout, programs).stderr == ""


def test_a_word_that_it_does_not_know_changes_nothing(checkout: Path, programs: Path) -> None:
    done = bootstrap(checkout, programs, "--development")
    assert done.returncode == 2
    assert done.stderr == "script/bootstrap: I know --dev only, not: --development\n"
