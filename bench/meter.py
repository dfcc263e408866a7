"""meter.py - runs one command for a budget of CPU seconds and says what it used.

What counts is the CPU time of all processes that come of the command: its forked workers and what
they leave behind are this process's descendants (a subreaper), and are all reaped in the end, so
the last figure is the kernel's own.
"""

import ctypes
import dataclasses
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import time

PR_SET_CHILD_SUBREAPER = 36
TICK = os.sysconf("SC_CLK_TCK")
POLL_SECONDS = 0.05
GRACE_SECONDS = 10  # between the interrupt and the kill


@dataclasses.dataclass
class Usage:
    cpu: float  # seconds, all processes
    wall: float  # seconds
    root_cpu: float  # seconds of the first process alone: an engine's driver
    status: int  # of the first process; negative: its signal
    why: str  # "exit", "budget" (interrupted), "wall" (interrupted) or "killed"
    start: dict  # cpu, wall and root_cpu when the log first had the mark; empty without
    pss: float  # MiB of all processes just before the interrupt, shared pages divided; or 0


def pinned(cores, argv):
    """The command as it is run and as it is shown: on these cores only."""
    return ["taskset", "-c", ",".join(map(str, cores)), *map(str, argv)]


def run(argv, budget, log, env=None, cwd=None, wall_limit=None, mark="", memory=False):
    """Runs argv until it ends or has used budget CPU seconds, then interrupts it as Ctrl-C does.

    budget      CPU seconds; None: until it ends
    log         file that takes its output
    wall_limit  seconds, for a command that waits more than it works
    mark        text in the log that ends the start: the budget is counted from there
    memory      look how much memory the processes have, just before the interrupt
    """
    receive, send = os.pipe()
    supervisor = os.fork()
    if supervisor == 0:
        status = 1
        # A job in the background of a script ignores SIGINT, and the command would inherit that.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            os.close(receive)
            wall_limit = wall_limit or (budget or 60) * 3 + 20
            usage = _supervise(argv, budget, log, env, cwd, wall_limit, mark, memory)
            os.write(send, json.dumps(dataclasses.asdict(usage)).encode())
            status = 0
        except FileNotFoundError as missing:
            os.write(send, json.dumps({"error": f"{missing.filename}: not found"}).encode())
            status = 0
        except KeyboardInterrupt:
            pass
        finally:
            os._exit(status)
    os.close(send)
    with os.fdopen(receive) as pipe:
        text = pipe.read()
    os.waitpid(supervisor, 0)
    answer = json.loads(text) if text else {"error": "the run was broken off"}
    if "error" in answer:
        raise RuntimeError(answer["error"])
    return Usage(**answer)


def _supervise(argv, budget, log, env, cwd, wall_limit, mark, memory):
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    begin = time.monotonic()
    with open(log, "wb") as out:
        root = subprocess.Popen(
            argv,
            env={**os.environ, **(env or {})},
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            start_new_session=True,
        )
    why, interrupted, root_cpu, status, used = "exit", None, 0.0, None, 0.0
    start, pss = {}, 0.0
    try:
        while status is None:
            used = max(used, sum(_cpu_ticks(pid) for pid in _descendants()) / TICK)
            root_cpu = max(root_cpu, _own_seconds(root.pid))
            now = time.monotonic()
            if mark and not start and mark in pathlib.Path(log).read_text(errors="replace"):
                start = dict(cpu=used, wall=now - begin, root_cpu=root_cpu)
            pid, raw, _ = os.wait4(root.pid, os.WNOHANG)
            if pid:
                status = root.returncode = os.waitstatus_to_exitcode(raw)
                wall = time.monotonic() - begin
                break
            if interrupted is None:
                spent = used - start.get("cpu", used if mark else 0)
                if budget is not None and spent >= budget:
                    why = "budget"
                elif now - begin >= wall_limit:
                    why = "wall"
                if why != "exit":
                    if memory:
                        pss = sum(map(pss_mib, _descendants()))
                    os.kill(root.pid, signal.SIGINT)
                    interrupted = now
            elif now - interrupted > GRACE_SECONDS:
                why = "killed"
                os.kill(root.pid, signal.SIGKILL)
            time.sleep(POLL_SECONDS)
    finally:
        _end_descendants()
    rusage = resource.getrusage(resource.RUSAGE_CHILDREN)
    # A child that was never waited for is missing in rusage, but was seen while it ran.
    cpu = max(used, rusage.ru_utime + rusage.ru_stime)
    return Usage(round(cpu, 4), round(wall, 4), round(root_cpu, 4), status, why, start, pss)


def _descendants():
    """Processes that come of this one; orphans among them are its children."""
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                text = pathlib.Path("/proc", name, "stat").read_text()
            except OSError:
                continue  # ended meanwhile
            parents[int(name)] = int(text[text.rindex(")") + 2 :].split()[1])
    found, level = [], {os.getpid()}
    while level:
        level = {pid for pid, parent in parents.items() if parent in level}
        found += level
    return found


def _cpu_ticks(pid):
    """User and system time of a process and of the children it has reaped."""
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0
    return sum(map(int, text[text.rindex(")") + 2 :].split()[11:15]))


def _own_seconds(pid):
    """CPU time of a process's threads, in the scheduler's nanoseconds; 0 when it has ended."""
    total = 0
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            total += int(pathlib.Path(f"/proc/{pid}/task/{task}/schedstat").read_text().split()[0])
    except OSError:
        return 0.0
    return total / 1e9


def pss_mib(pid):
    """Memory of a process in MiB, a page that n processes map counted as 1/n; 0 when it ended."""
    return _rollup_mib(pid, "Pss")


def rss_mib(pid):
    """Memory of a process in MiB, shared pages counted whole; 0 when it ended."""
    return _rollup_mib(pid, "Rss")


def _rollup_mib(pid, field):
    try:
        text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0.0
    return int(re.search(rf"^{field}:\s+(\d+) kB", text, re.M)[1]) / 1024


def _end_descendants():
    """Kills and reaps whatever the command left behind."""
    while True:
        for pid in _descendants():
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        try:
            while os.wait4(-1, 0)[0]:
                pass
        except ChildProcessError:
            return


def available(program):
    """Whether a program is there, by path or in PATH."""
    return shutil.which(str(program)) is not None
