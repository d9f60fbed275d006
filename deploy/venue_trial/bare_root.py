"""A Debian as it comes, in a folder; and systemd running in it, in namespaces of its own.

Needs root, debootstrap and unshare. The archive is the one that this machine's own apt goes by.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from deploy.errors import TrialError
from deploy.wheelhouse.debs import own_sources

COMES_WITH: Final = "python3,systemd,systemd-sysv,udev,dbus,iproute2,passwd,login,procps,openssh-server"
"""What a fresh Debian or Raspberry Pi OS has besides the smallest system, as far as it matters here."""
SUITE: Final = "bookworm"
MADE_WITHIN: Final = 1800.0
BOOTED_WITHIN: Final = 180.0
PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

_BOOT: Final = """
set -eu
root=$1; stick=$2
mount --bind "$root" "$root"
cd "$root"
mount -t proc proc proc
mount -t sysfs sys sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs dev
for node in null zero full random urandom tty; do touch dev/$node; mount --bind /dev/$node dev/$node; done
mkdir dev/shm dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
for number in 0:stdin 1:stdout 2:stderr; do ln -s /proc/self/fd/${number%:*} dev/${number#*:}; done
mount -t tmpfs -o mode=755 tmpfs run
mkdir -p mnt/stick .old
mount --bind "$stick" mnt/stick
mount -o remount,bind,ro mnt/stick
ip link set lo up
hostname "$(cat etc/hostname)"
pivot_root . .old
exec chroot . sh -c 'umount -l /.old; exec "$@"' sh env -i container=trial PATH=/usr/sbin:/usr/bin:/sbin:/bin \\
  /lib/systemd/systemd --unit=multi-user.target --show-status=0
"""


def debian(folder: Path) -> Path:
    """A Debian in ``folder``, made unless it is there. Raises ``TrialError``."""
    made = folder / "made"
    if made.exists() and made.read_text(encoding="utf-8") == COMES_WITH:
        return folder / "root"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    mirror = own_sources(SUITE).split()[1]
    with (folder / "log").open("wb") as log:
        done = subprocess.run(
            ["debootstrap", "--variant=minbase", f"--include={COMES_WITH}", SUITE, str(folder / "root"), mirror],
            stdout=log, stderr=log, check=False, timeout=MADE_WITHIN,
        )  # fmt: skip
    if done.returncode != 0:
        raise TrialError("no-debian", f"debootstrap did not make a Debian; {folder / 'log'} says why.")
    made.write_text(COMES_WITH, encoding="utf-8")
    return folder / "root"


class Machine:
    """A Debian root with systemd running in it; what is run in it is run beside that systemd."""

    def __init__(self, root: Path, stick: Path, name: str, hosts: Sequence[str]) -> None:
        self.root = root
        self._stick = stick
        self._process: subprocess.Popen[bytes] | None = None
        (root / "etc" / "hostname").write_text(f"{name}\n", encoding="utf-8")
        (root / "etc" / "hosts").write_text(f"127.0.0.1 localhost {name} {' '.join(hosts)}\n", encoding="utf-8")

    def boot(self) -> None:
        """Start systemd. Raises ``TrialError``."""
        self._process = subprocess.Popen(
            ["unshare", "--mount", "--pid", "--cgroup", "--uts", "--ipc", "--fork", "--kill-child",
             "sh", "-c", _BOOT, "sh", str(self.root), str(self._stick)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )  # fmt: skip
        wait_until(f"systemd runs in {self.root}", lambda: self.says("systemctl", "is-system-running") in _UP)

    def run(self, *words: str, within: float = 120.0) -> subprocess.CompletedProcess[str]:
        """Run a command in it, as root."""
        inside = ["nsenter", "--target", str(self._init()), "--mount", "--pid", "--cgroup", "--uts", "--ipc", "--root"]
        return subprocess.run(
            [*inside, "env", "-i", f"PATH={PATH}", "LC_ALL=C.UTF-8", "HOME=/root", *words],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=within,
        )  # fmt: skip

    def says(self, *words: str) -> str:
        """What a command says on standard output; nothing while systemd is not there yet."""
        try:
            return self.run(*words).stdout.strip()
        except TrialError:
            return ""

    def stop(self) -> None:
        """End it, with everything in it."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait(30)
            self._process = None

    def _init(self) -> int:
        """The process id of its systemd, as seen from here."""
        assert self._process is not None
        if self._process.poll() is not None:
            said = b"" if self._process.stderr is None else self._process.stderr.read(2_000)
            raise TrialError("not-started", f"{self.root} does not start: {said.decode('utf-8', 'replace').strip()}")
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text(encoding="ascii")
        first = children.split()
        if not first or Path(f"/proc/{first[0]}/exe").readlink().name != "systemd":
            raise TrialError("not-started", f"{self.root} is still starting.")
        return int(first[0])


_UP: Final = ("running", "degraded")


def wait_until(what: str, come_true: Callable[[], bool], seconds: float = BOOTED_WITHIN) -> None:
    """Ask twice a second until it is so; raises ``TrialError`` when the time is up."""
    until = time.monotonic() + seconds
    while not come_true():
        if time.monotonic() > until:
            raise TrialError("in-vain", f"Waited {seconds:.0f} s in vain: {what}.")
        time.sleep(0.5)
