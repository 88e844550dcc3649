"""A Streamlit script served on this machine for as long as a measurement takes. Reads /proc, so Linux only."""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
APP = ROOT / "app.py"


@dataclass(frozen=True, kw_only=True)
class Server:
    process: subprocess.Popen[bytes]
    port: int
    log: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def megabytes(self) -> float:
        """Resident memory of the server."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) / 1024

    def cpu_seconds(self) -> float:
        """Processor time that the server has used, which a busy machine hardly lengthens."""
        after_name = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")

    def check(self) -> None:
        """RuntimeError when the script has failed or the server has died."""
        log = self.log.read_text(errors="replace")
        if "Traceback" in log or self.process.poll() is not None:
            raise RuntimeError(f"The server has failed:\n{log[-3000:]}")


@contextmanager
def serve(script: Path, checkpoint: Path) -> Iterator[Server]:
    """Run `script` with the project's settings, the given checkpoint being the Transformer it finds beside the bundled
    recurrent models."""
    with tempfile.TemporaryDirectory() as folder, socket.socket() as free:
        pair = Path(folder) / "checkpoints" / "en-fr"
        pair.mkdir(parents=True)
        for bundled in (ROOT / "checkpoints" / "en-fr").iterdir():
            (pair / bundled.name).symlink_to(checkpoint if bundled.name == "transformer" else bundled)
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        log = Path(folder) / "log"
        options = {"server.port": port, "server.address": "127.0.0.1", "server.headless": "true"}
        with log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", "streamlit", "run", script, *(f"--{k}={v}" for k, v in options.items())],
                cwd=ROOT,
                env=os.environ | {"REGARD_CHECKPOINTS": str(pair.parent)},
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        server = Server(process=process, port=port, log=log)
        try:
            wait_until_healthy(server)
            yield server
            server.check()
        finally:
            process.terminate()
            process.wait(10)


def wait_until_healthy(server: Server, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        server.check()
        try:
            with urllib.request.urlopen(f"{server.url}/_stcore/health", timeout=1) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"The server did not start within {seconds:.0f} s.")
