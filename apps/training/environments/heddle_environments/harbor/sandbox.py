"""An environment of Harbor on this machine, without a container runtime: the files of the system in namespaces of its own.

Commands see the programs of this machine read-only, and beside them files that are theirs alone, and no environment variable or
process of it. They run by bubblewrap, as root of their own user namespace. So a task may expect no more than what is installed here: those that build an image are refused.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import tarfile
import tempfile
from asyncio.subprocess import DEVNULL, PIPE, Process
from pathlib import Path
from typing import IO, Any

from harbor.environments.base import BaseEnvironment, ExecResult, transfer_tar_filter
from harbor.environments.capabilities import EnvironmentCapabilities
from harbor.models.task.config import NetworkMode

SHOWN = ["/usr", *(f"/etc/{name}" for name in ("alternatives", "hosts", "ld.so.cache", "nsswitch.conf", "resolv.conf", "ssl"))]
"""Of this machine, as far as it is there."""
USERS = "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"
SETTINGS = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8"}
LINKS_TO_USR = ["bin", "sbin", "lib", "lib64"]
MAX_OUTPUT_BYTES = 1 << 20
"""Of each stream of a command; what follows is left out."""
MAX_TRANSFER_BYTES = 256 << 20
DEFAULT_WORKDIR = "/app"
STOP_SECONDS = 10


class SandboxEnvironment(BaseEnvironment):
    """For `EnvironmentConfig(import_path="heddle_environments.harbor.sandbox:SandboxEnvironment")`."""

    _process: Process | None = None
    _inside: int = 0
    """Process id of the first program inside."""

    @staticmethod
    def type() -> str:
        return "sandbox"

    @property
    def capabilities(self) -> EnvironmentCapabilities:
        return EnvironmentCapabilities(disable_internet=True)

    def _validate_definition(self) -> None:
        for name in ("Dockerfile", "docker-compose.yaml"):
            if (self.environment_dir / name).exists():
                raise ValueError(f"{self.environment_dir / name} builds an image, for which the sandbox has no container runtime; name another environment")
        for program in ("bwrap", "nsenter"):
            if shutil.which(program) is None:
                raise FileNotFoundError(f"the sandbox needs {program}: install bubblewrap and util-linux, or name another environment")

    async def start(self, force_build: bool) -> None:
        self._root = Path(tempfile.mkdtemp(prefix="heddle-sandbox-"))
        reader, writer = os.pipe()
        network = [] if self._network_policy.network_mode == NetworkMode.PUBLIC else ["--unshare-net"]
        (self._root / "etc").mkdir()
        (self._root / "etc" / "passwd").write_text(USERS)
        shown = [part for path in SHOWN for part in ("--ro-bind-try", path, path)]
        links = [part for name in LINKS_TO_USR for part in ("--symlink", f"usr/{name}", f"/{name}")]
        own = ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--uid", "0", "--gid", "0", "--die-with-parent"]
        places = ["--bind", str(self._root), "/", *shown, *links, "--proc", "/proc", "--dev", "/dev", "--info-fd", str(writer)]
        with os.fdopen(reader) as info:
            try:
                self._process = await asyncio.create_subprocess_exec(
                    *["bwrap", *own, *network, *places, "bash", "-c", "echo ready; exec sleep infinity"],
                    env=SETTINGS,
                    pass_fds=[writer],
                    stdin=DEVNULL,
                    stdout=PIPE,
                    stderr=PIPE,
                )
            finally:
                os.close(writer)
            said = await asyncio.to_thread(info.read)
        # What runs before the program inside would still see the files of this machine.
        if not said or await self._process.stdout.readline() != b"ready\n":
            _, problem = await self._process.communicate()
            raise RuntimeError(f"the sandbox cannot start: {problem.decode(errors='replace').strip()[:500]}")
        self._inside = int(json.loads(said)["child-pid"])
        self._workdir = self.task_env_config.workdir or DEFAULT_WORKDIR
        await self._make([self._workdir, "/tmp", "/root", *self._mount_targets(writable_only=True)])
        await self._upload_environment_dir_after_start()

    async def stop(self, delete: bool) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            process.kill()
        await asyncio.wait_for(process.wait(), STOP_SECONDS)
        shutil.rmtree(self._root, ignore_errors=True)

    async def exec(
        self,
        command: str,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        timeout_sec: int | None = None,
        user: str | int | None = None,
    ) -> ExecResult:
        if self._resolve_user(user) not in (None, "root", 0, "0"):
            raise ValueError(f"the sandbox has no user {user!r}: leave out user in task.toml, or name another environment")
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as problems:
            process = await self._begin(["bash", "-c", command], cwd or self._workdir, self._merge_env(env), stdin=DEVNULL, stdout=out, stderr=problems)
            code = await self._end(process, timeout_sec)
            return ExecResult(stdout=beginning_of(out), stderr=beginning_of(problems), return_code=code)

    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        target = Path(target_path)
        await self._unpack(["--transform", f"s|.*|{target.name}|", "-C", str(target.parent)], Path(source_path).parent, [Path(source_path).name])

    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        await self._unpack(["-C", target_dir], Path(source_dir), ["."])

    async def download_file(self, source_path: str, target_path: Path | str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            await self._pack(str(Path(source_path).parent), Path(source_path).name, Path(folder))
            shutil.copyfile(Path(folder) / Path(source_path).name, target_path)

    async def download_dir(self, source_dir: str, target_dir: Path | str) -> None:
        Path(target_dir).mkdir(parents=True, exist_ok=True)
        await self._pack(source_dir, ".", Path(target_dir))

    async def _begin(self, command: list[str], cwd: str, env: dict[str, str] | None, **streams: Any) -> Process:
        """A program inside, in a process group of its own."""
        if self._process is None or self._process.returncode is not None:
            raise RuntimeError("the sandbox is not running")
        inside = ["nsenter", "-t", str(self._inside), "-U", "-m", "-p", "-i", "-n", "--preserve-credentials", "-r", "--"]
        placed = ["bash", "-c", 'cd "$0" && exec "$@"', cwd, *command]
        return await asyncio.create_subprocess_exec(*inside, *placed, env={**SETTINGS, **(env or {})}, start_new_session=True, **streams)

    async def _make(self, folders: list[str]) -> None:
        made = await self.exec(self._ensure_dirs_command(folders, chmod=False), cwd="/", user="root")
        if made.return_code != 0:
            raise RuntimeError(f"the sandbox cannot make {', '.join(folders)}: {made.stderr}")

    async def _end(self, process: Process, timeout_sec: float | None) -> int:
        """The exit code. @raise TimeoutError once the program has been ended"""
        try:
            return await asyncio.wait_for(process.wait(), timeout_sec)
        except BaseException:
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
                await process.wait()
            raise

    async def _unpack(self, options: list[str], folder: Path, names: list[str]) -> None:
        """Unpacks files of this machine inside, where links can lead nowhere else."""
        with tempfile.TemporaryFile() as archive:
            await self._tar(archive, ["tar", "-c", "--dereference", "-C", str(folder), *names], is_inside=False)
            archive.seek(0)
            target = options[-1]
            await self._make([target])
            await self._tar(archive, ["tar", "-x", "--no-same-owner", *options], is_inside=True)

    async def _pack(self, folder: str, name: str, target: Path) -> None:
        """Unpacks files from inside on this machine, but for links that lead elsewhere and devices."""
        with tempfile.TemporaryFile() as archive:
            await self._tar(archive, ["tar", "-c", "-C", folder, name], is_inside=True)
            if archive.tell() > MAX_TRANSFER_BYTES:
                raise ValueError(f"{folder}/{name} of the sandbox has more than {MAX_TRANSFER_BYTES} bytes")
            archive.seek(0)
            with tarfile.open(fileobj=archive) as packed:
                packed.extractall(target, filter=transfer_tar_filter)

    async def _tar(self, archive: IO[bytes], command: list[str], *, is_inside: bool) -> None:
        streams = {"stdin": archive, "stdout": DEVNULL} if "-x" in command else {"stdin": DEVNULL, "stdout": archive}
        if is_inside:
            process = await self._begin(command, "/", None, **streams, stderr=PIPE)
        else:
            process = await asyncio.create_subprocess_exec(*command, start_new_session=True, **streams, stderr=PIPE)
        _, problem = await process.communicate()
        if process.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: {problem.decode(errors='replace').strip()[:500]}")


def beginning_of(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read(MAX_OUTPUT_BYTES).decode(errors="replace")
