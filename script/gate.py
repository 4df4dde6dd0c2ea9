"""The checks of script/test: static ones beside the tests, a line for each, and the first failure whole."""

import argparse
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(".venv/bin")
FOLDERS = ("protocols", "drivers", "daemon", "simulators")
PACKAGES = (
    *(f"protocols/felt_{one}" for one in ("protocols", "mqtt", "floor")),
    *(f"{one}/felt_{one}" for one in FOLDERS[1:]),
)
# Bytes and rules decide over people's money: no branch of theirs goes untried.
WHOLE = ("felt_protocols", "felt_daemon/rules", "felt_daemon/table")
OVERALL_PERCENT = 95
# How long a check that was told to stop may take to tidy up after itself.
STOP_S = 15.0


@dataclass(frozen=True)
class Check:
    """One command; `tells` picks the lines of its output that are shown although it passed."""

    name: str
    command: tuple[str, ...]
    tells: Callable[[str], list[str]] = lambda _: []


def tool(name: str, program: str, *arguments: str) -> Check:
    """Return a check by a program of the environment."""
    return Check(name, (str(BIN / program), *arguments))


def closing_line(output: str) -> list[str]:
    """Return what was skipped and why, and pytest's last line with the counts."""
    lines = output.rstrip().splitlines()
    return [line for line in lines if line.startswith("SKIPPED")] + lines[-1:]


def static_checks(*, long_too: bool) -> list[Check]:
    """Return what can be said without running feltd, quickest first."""
    return [
        tool("format", "ruff", "format", "--check", "."),
        tool("lint", "ruff", "check", "."),
        tool("spelling", "codespell", "."),
        tool("requirements agree", "python", "-m", "pip", "check"),
        tool("rules' index is current", "python", "script/rules-index", "--check"),
        tool("page of the regulations is current", "python", "script/regulations-page", "--check"),
        tool("contract is kept and current", "python", "script/contract", "--check"),
        tool("imports go one way", "lint-imports", "--no-cache"),
        *(
            tool(f"dependencies of {folder}", "deptry", folder, "--config", f"{folder}/pyproject.toml")
            for folder in FOLDERS
        ),
        tool("types, mypy", "mypy", *PACKAGES, "script/gate.py", "script/rules-index"),
        # A program without an ending is a main module to mypy, which takes one of them at a time.
        tool("types, mypy, the page's program", "mypy", "script/regulations-page"),
        tool("types, mypy, the contract's program", "mypy", "script/contract"),
        tool("types, mypy, the changes' program", "mypy", "script/mutate"),
        tool("types, pyright", "pyright"),
        *changes_checks(long_too=long_too),
    ]


def changes_checks(*, long_too: bool) -> list[Check]:
    """Return whether tests notice changes of the rules: of what the last commit touched, or every one."""
    if long_too:
        return [
            tool("tests notice changes of modules", "python", "script/mutate", "--all"),
            tool("tests notice changes of packs", "python", "script/mutate", "--all", "--packs", "all"),
        ]
    before = ("git", "rev-parse", "--verify", "--quiet", "HEAD~1")
    if subprocess.run(before, cwd=ROOT, check=False, capture_output=True).returncode != 0:  # noqa: S603 - see above
        return []  # a clone of the last commit alone
    changed = ("--changed", "HEAD~1", "--minutes", "1", "--jobs", "1")
    return [tool("tests notice changes", "python", "script/mutate", *changed)]


def test_checks(*, long_too: bool) -> list[Check]:
    """Return the tests, then what they must have reached."""
    coverage = str(BIN / "coverage")
    # One more than there are processors: many tests wait for programs that they have started.
    workers = str((os.cpu_count() or 1) + 1)
    shared = ("-n", workers, "--dist=worksteal")
    pytest = ("-m", "pytest", *shared, "-rs", "--tb=short", "--hypothesis-profile=ci")
    chosen = () if long_too else ("-m", "not long")
    report = (coverage, "report", "--precision=2")
    return [
        Check("tests", (coverage, "run", *pytest, *chosen), closing_line),
        Check("coverage is gathered", (coverage, "combine", "--quiet")),
        *(
            Check(f"all branches of {part}", (*report, "--fail-under=100", f"--include=*/{part}/*"))
            for part in WHOLE
        ),
        Check(f"{OVERALL_PERCENT} % overall", (*report, f"--fail-under={OVERALL_PERCENT}")),
    ]


@dataclass
class Gate:
    """Runs lanes of checks side by side, and stops all of them at the first failure."""

    environment: dict[str, str]
    failed: tuple[Check, str] | None = None
    _running: set[subprocess.Popen[str]] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, lanes: Sequence[Sequence[Check]]) -> None:
        """Run every lane to its end or to the first failure of any."""
        threads = [threading.Thread(target=self._lane, args=(lane,)) for lane in lanes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def stop(self) -> None:
        """Interrupt what runs, as Ctrl-C would, and end it if it does not end by itself."""
        with self._lock:
            running = list(self._running)
        for process in running:
            _signal(process, signal.SIGINT)
        for process in running:
            try:
                process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                _signal(process, signal.SIGKILL)

    def _lane(self, lane: Sequence[Check]) -> None:
        for check in lane:
            if self.failed or not self._passes(check):
                return

    def _passes(self, check: Check) -> bool:
        began = time.monotonic()
        process = subprocess.Popen(  # noqa: S603 - the commands are those above
            check.command,
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        with self._lock:
            self._running.add(process)
        output, _ = process.communicate()
        with self._lock:
            self._running.discard(process)
            if self.failed:
                return False
            if process.returncode != 0:
                self.failed = (check, output)
        if process.returncode != 0:
            self.stop()
            return False
        say(f"  ok  {check.name:<36} {time.monotonic() - began:6.1f} s")
        for line in check.tells(output):
            say(f"      {line}")
        return True


def _signal(process: subprocess.Popen[str], number: signal.Signals) -> None:
    if process.poll() is None:
        os.killpg(process.pid, number)


def say(text: str) -> None:
    """Print a line at once, also into a pipe."""
    print(text, flush=True)


def main() -> int:
    """Run the checks; 0 if all passed, 1 at a failure, 130 when interrupted."""
    parser = argparse.ArgumentParser(prog="script/test", description="Runs every check of feltd.")
    parser.add_argument("--all", action="store_true", help="the tests marked long too")
    chosen = parser.parse_args()
    began = time.monotonic()
    # Whoever started this may have had Ctrl-C ignored, which programs inherit; tests send it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="feltd-coverage-") as folder:
        environment = {**os.environ, "COVERAGE_FILE": f"{folder}/coverage"}
        # The tests start feltd so often that compiling it anew each time would be a tenth of their work.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        gate = Gate(environment)
        try:
            gate.run([static_checks(long_too=chosen.all), test_checks(long_too=chosen.all)])
        except KeyboardInterrupt:
            gate.stop()
            return 130
    took_s = time.monotonic() - began
    if gate.failed is None:
        say(f"All passed in {took_s:.0f} s.")
        return 0
    check, output = gate.failed
    say(
        f"\n{output.rstrip()}\n\n"
        f"FAILED after {took_s:.0f} s: {check.name}. Again:  {shlex.join(check.command)}"
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
