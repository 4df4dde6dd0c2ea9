"""The systemd unit keeps what the daemon counts on."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from felt_daemon.cli import exits

Section = dict[str, list[str]]


def unit(root: Path) -> dict[str, Section]:
    """Read the unit: for each section and key, its values in order."""
    sections: dict[str, Section] = {}
    now: Section = {}
    for line in (root / "systemd" / "feltd.service").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            now = sections.setdefault(line.strip("[]"), {})
        elif line and not line.startswith("#"):
            key, _, value = line.partition("=")
            now.setdefault(key, []).append(value)
    return sections


def test_it_is_started_again_for_ever_but_not_with_a_wrong_configuration(root: Path) -> None:
    service = unit(root)["Service"]
    assert service["Restart"] == ["always"]
    assert service["RestartSec"] == ["2"]
    assert service["RestartPreventExitStatus"] == ["78"]
    assert exits.BAD_CONFIG == 78
    assert unit(root)["Unit"]["StartLimitIntervalSec"] == ["0"]


def test_no_readiness_is_promised_that_the_daemon_does_not_tell(root: Path) -> None:
    assert unit(root)["Service"]["Type"] == ["exec"]


def test_it_waits_for_no_network_and_no_time(root: Path) -> None:
    keys = unit(root)["Unit"]
    assert {"After", "Wants", "Requires"} & keys.keys() == set()


def test_only_the_daemon_itself_is_told_to_stop(root: Path) -> None:
    assert unit(root)["Service"]["KillMode"] == ["mixed"]


def test_it_may_ask_whether_the_clock_is_synchronized(root: Path) -> None:
    service = unit(root)["Service"]
    assert "ProtectClock" not in service
    # A later line wins: @privileged has the call among what it takes away.
    assert service["SystemCallFilter"] == [
        "@system-service",
        "~@resources @privileged",
        "adjtimex clock_adjtime",
        "setpriority",
    ]
    assert service["CapabilityBoundingSet"] == [""]


def test_it_sees_who_calls_and_which_boot_this_is(root: Path) -> None:
    service = unit(root)["Service"]
    assert {"PrivateUsers", "ProcSubset", "DynamicUser"} & service.keys() == set()


def test_it_has_its_journal_its_socket_and_serial_ports(root: Path) -> None:
    service = unit(root)["Service"]
    example = tomllib.loads((root / "examples" / "asia-poker.toml").read_text(encoding="utf-8"))
    assert [f"/var/lib/{name}" for name in service["StateDirectory"]] == [example["journal"]["directory"]]
    assert [f"/run/{name}/control" for name in service["RuntimeDirectory"]] == [example["control"]["socket"]]
    assert service["StateDirectoryMode"] == ["0700"]
    assert service["SupplementaryGroups"] == ["dialout"]
    assert "char-ttyUSB rw" in service["DeviceAllow"]
    assert service["ProtectSystem"] == ["strict"]


def test_every_account_of_unit_and_example_is_made(root: Path) -> None:
    made = (root / "systemd" / "sysusers.d" / "feltd.conf").read_text(encoding="utf-8")
    users = set(re.findall(r"^u +(\S+)", made, flags=re.MULTILINE))
    groups = set(re.findall(r"^g +(\S+)", made, flags=re.MULTILINE))
    service = unit(root)["Service"]
    example = tomllib.loads((root / "examples" / "asia-poker.toml").read_text(encoding="utf-8"))
    assert set(service["User"]) == users == {"feltd"}
    assert set(service["Group"]) <= groups
    for grant in example["control"]["roles"].values():
        assert set(grant["groups"]) <= groups


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd-analyze here")
def test_systemd_understands_every_line(root: Path, tmp_path: Path) -> None:
    text = (root / "systemd" / "feltd.service").read_text(encoding="utf-8")
    copy = tmp_path / "feltd.service"
    # The program is not installed here.
    copy.write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", text, flags=re.MULTILINE))
    verified = subprocess.run(  # noqa: S603 - no word of it comes from outside
        ["systemd-analyze", "verify", "--man=no", copy],  # noqa: S607 - whichever systemd there is
        capture_output=True,
        text=True,
        check=False,
    )
    about_it = [line for line in verified.stderr.splitlines() if "feltd.service" in line]
    assert (verified.returncode, about_it) == (0, [])


@pytest.mark.skipif(shutil.which("systemd-sysusers") is None, reason="no systemd-sysusers here")
def test_systemd_makes_the_accounts(root: Path, tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    made = subprocess.run(  # noqa: S603 - no word of it comes from outside
        [  # noqa: S607 - whichever systemd there is
            "systemd-sysusers",
            f"--root={tmp_path}",
            root / "systemd" / "sysusers.d" / "feltd.conf",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    account = (tmp_path / "etc" / "passwd").read_text(encoding="utf-8").strip().split(":")
    assert account[0] == "feltd"
    assert account[5:] == ["/var/lib/feltd", "/usr/sbin/nologin"]
