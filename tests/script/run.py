#!/usr/bin/env python3
"""run.py - runs script tests: commands first, then the files they need.

    run.py [--build DIR] [--keep] [-v] SCRIPT...

README.md beside this file describes the language. Each script runs in its own
empty directory with a private cache; each command has a time limit; what a
script leaves behind in processes is a failure. Exit status: 0 passed, 1 failed,
77 skipped (all of them), 2 usage.

The state of one run is a Script object; its commands are the methods cmd_*.
"""
import argparse
import ctypes
import filecmp
import glob
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
COMMAND_SECONDS = 60  # a command's limit unless the script says `limit`
LIMIT_MAX = 120
LEFTOVER_SECONDS = 5  # how long processes may take to follow a killed driver
PR_SET_CHILD_SUBREAPER = 36
ORIGIN = " -cfuzz.origin="  # CFZ_ORIGIN_FLAG of runtime/core/protocol.h


class Failed(Exception):
    """The script's expectation that did not hold; the text says which."""


class Skipped(Exception):
    """The script cannot run here; the text says why."""


class Stopped(Exception):
    """The script ended itself, passing."""


def split(line, env):
    """Splits a command line into words. '...' is literal, "..." and bare text
    expand $NAME and ${NAME}; a backslash is an ordinary character."""
    words, word, i, inside = [], None, 0, None
    while i < len(line):
        c = line[i]
        if inside == "'":
            if c == "'":
                inside = None
            else:
                word += c
        elif c == "$" and (m := re.match(r"\$(?:(\w+)|\{(\w+)\})", line[i:])):
            name = m.group(1) or m.group(2)
            if name not in env:
                raise Failed(f"${name} is not set")
            word = (word or "") + env[name]
            i += m.end() - 1
        elif inside == '"':
            if c == '"':
                inside = None
            else:
                word += c
        elif c in "'\"":
            inside, word = c, word or ""
        elif c.isspace():
            if word is not None:
                words.append(word)
            word = None
        elif c == "#" and word is None:
            break
        else:
            word = (word or "") + c
        i += 1
    if inside:
        raise Failed("unterminated quote")
    if word is not None:
        words.append(word)
    return words


def processes():
    """Yields (pid, parent, state, command line) of each process there is."""
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as f:
                text = f.read()
            with open(f"/proc/{entry}/cmdline", "rb") as f:
                cmdline = f.read().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue  # ended meanwhile
        state, parent = text.rpartition(")")[2].split()[:2]
        yield int(entry), int(parent), state, cmdline


class Background:
    """A command started with &name."""

    def __init__(self, proc, out, err, words):
        self.proc, self.out, self.err, self.words = proc, out, err, words


class Script:
    def __init__(self, path, build, work, verbose):
        self.build, self.work, self.verbose = build, work, verbose
        self.name = os.path.splitext(os.path.basename(path))[0]
        self.cwd = work
        self.transcript = []
        self.background = {}
        self.stdout = self.stderr = ""
        self.status = 0
        self.limit = COMMAND_SECONDS
        self.serial = 0
        hidden = os.path.join(work, ".t")  # what the runner itself keeps in the work directory
        for sub in ("home", "tmp", "cache", "out"):
            os.makedirs(os.path.join(hidden, sub))
        self.out_dir = os.path.join(hidden, "out")
        self.env = {
            "PATH": os.path.join(build, "bin") + ":/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
            "HOME": os.path.join(hidden, "home"),
            "TMPDIR": os.path.join(hidden, "tmp"),
            "CFUZZCACHE": os.path.join(hidden, "cache"),
            "LC_ALL": "C",
            "WORK": work,
            "BUILD": build,
            "SOURCE": SOURCE,
            "PKG": os.path.join(SOURCE, "testdata", "pkg"),
        }
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "CC"):
            if name in os.environ:
                self.env[name] = os.environ[name]
        with open(path, encoding="utf-8") as f:
            self.commands = self.unpack(f.read())

    # ---- the file ---------------------------------------------------------

    def unpack(self, text):
        """Writes the files of the archive, returns the commands above them."""
        parts = re.split(r"^-- (\S+) --\n", text, flags=re.M)
        for name, content in zip(parts[1::2], parts[2::2]):
            path = os.path.join(self.work, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8", newline="") as f:
                f.write(content)
        return parts[0].splitlines()

    def run(self):
        try:
            for number, line in enumerate(self.commands, 1):
                if not line.strip() or line.lstrip().startswith("#"):
                    if line.startswith("#"):
                        self.say(line)
                    continue
                self.say(f"{number:3}> {line.strip()}")
                self.line(line)
        except Stopped:
            pass
        finally:
            leftovers = self.end()
        if leftovers:
            raise Failed("processes left behind:\n" + "\n".join(leftovers))

    def line(self, line):
        words = split(line, self.env)
        while words and (m := re.fullmatch(r"\[(!?)([^\]]+)\]", words[0])):
            if self.condition(m.group(2)) == bool(m.group(1)):
                self.say("     (condition does not hold)")
                return
            words.pop(0)
        want = "0"
        if words and words[0] in ("!", "?"):
            want = words.pop(0)
        elif words[:1] == ["exit"]:
            want = words[1]
            words = words[2:]
        if not words:
            raise Failed("no command")
        name, args = words[0], words[1:]
        if name in ("cfuzz-test", "exec", "unprivileged"):
            self.program(name, args, want)
            return
        method = getattr(self, "cmd_" + name.replace("-", "_"), None)
        if method is None:
            raise Failed(f"{name}: no such command")
        if want not in ("0", "!"):
            raise Failed(f"{name}: takes no status")
        if want == "!" and name not in ("stdout", "stderr", "exists", "grep", "cmp"):
            raise Failed(f"{name}: takes no !")
        if name in ("stdout", "stderr", "exists", "grep", "cmp"):
            method(args, want == "!")
        else:
            method(args)

    def say(self, text):
        self.transcript.append(text)
        if self.verbose:
            print(text, flush=True)

    def path(self, name):
        return os.path.join(self.cwd, name)

    # ---- conditions ---------------------------------------------------------

    def condition(self, what):
        kind, _, arg = what.partition(":")
        if what == "root":
            return os.geteuid() == 0
        if what in ("asan", "msan", "tsan"):
            return bool(glob.glob("/usr/lib/llvm-19/lib/clang/*/lib/*/libclang_rt.%s*.a" % what))
        if kind == "runtime":  # of the compiler of that major
            return bool(glob.glob(f"/usr/lib/llvm-{arg}/lib/clang/*/lib/*/libclang_rt.msan*.a"))
        if what == "sanitized":  # the driver itself is an ASan build
            with open(os.path.join(self.build, "CMakeCache.txt"), encoding="utf-8") as f:
                return "CFUZZ_SANITIZE:BOOL=ON" in f.read() or False
        if kind in ("exec", "cc"):
            return shutil.which(arg, path=self.env["PATH"]) is not None
        if kind == "plugin":
            return os.path.exists(f"{self.build}/lib/cfuzz/cfuzz-plugin-{arg}.so")
        raise Failed(f"[{what}]: no such condition")

    # ---- programs -----------------------------------------------------------

    def argv(self, name, args):
        if name == "cfuzz-test":
            return [os.path.join(self.build, "bin", "cfuzz-test")] + args
        if name == "unprivileged":
            # Root without the right to pass over file permissions: what any user is.
            if args[0] == "cfuzz-test":
                args = self.argv("cfuzz-test", args[1:])
            if os.geteuid() != 0:
                return args
            drop = "-dac_override,-dac_read_search"
            return ["setpriv", f"--bounding-set={drop}", "--inh-caps=-all"] + args
        if not args:
            raise Failed("exec: no program")
        return args

    def program(self, name, args, want):
        label = None
        if args and (m := re.fullmatch(r"&(\w+)", args[-1])):
            label, args = m.group(1), args[:-1]
        argv = self.argv(name, args)
        self.serial += 1
        out = os.path.join(self.out_dir, f"{self.serial}.stdout")
        err = os.path.join(self.out_dir, f"{self.serial}.stderr")
        program = argv[0]
        if "/" in program:
            program = self.path(program)
        program = shutil.which(program, path=self.env["PATH"])
        if program is None:
            raise Failed(f"{argv[0]}: not found")
        with open(out, "wb") as o, open(err, "wb") as e:
            proc = subprocess.Popen(argv, executable=program, cwd=self.cwd, env=self.env,
                                    stdin=subprocess.DEVNULL, stdout=o, stderr=e,
                                    start_new_session=True)
        bg = Background(proc, out, err, argv)
        if label is not None:
            if want != "0":
                raise Failed("a status is checked by `wait`, not where the command is started")
            if label in self.background:
                raise Failed(f"&{label}: runs already")
            self.background[label] = bg
            return
        self.finish(bg, want)

    def finish(self, bg, want):
        """Waits for a program, keeps its output for stdout and stderr, checks its status."""
        start = time.monotonic()
        try:
            self.status = bg.proc.wait(self.limit)
            late = False
        except subprocess.TimeoutExpired:
            late = True
            self.kill_tree(bg.proc.pid)
            bg.proc.wait()
        self.stdout, self.stderr = self.read(bg.out), self.read(bg.err)
        for label, text in (("stdout", self.stdout), ("stderr", self.stderr)):
            if text:
                self.say(f"[{label}]\n{text.rstrip()}")
        if late:
            raise Failed(f"{os.path.basename(bg.words[0])}: still running after {self.limit} s")
        self.say(f"[status {self.status}, {time.monotonic() - start:.1f} s]")
        ok = {"0": self.status == 0, "?": True,
              "!": self.status > 0}.get(want, str(self.status) == want)
        if not ok:
            wanted = {"!": "a failure"}.get(want, want)
            raise Failed(f"status {self.status}, want {wanted}")

    @staticmethod
    def read(path):
        with open(path, encoding="utf-8", errors="replace", newline="") as f:
            return f.read()

    @staticmethod
    def kill_tree(pid):
        """Kills a program of ours and all below it."""
        children = {}
        for p, parent, _, _ in processes():
            children.setdefault(parent, []).append(p)
        todo = [pid]
        while todo:
            p = todo.pop()
            todo += children.get(p, [])
            try:
                os.kill(p, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def orphans(self):
        """What is left of programs that ended: they come to us, the subreaper."""
        known = {bg.proc.pid for bg in self.background.values()}
        found = []
        for pid, parent, state, cmdline in processes():
            if parent != os.getpid() or pid in known:
                continue
            if state == "Z":
                try:
                    os.waitpid(pid, os.WNOHANG)
                except ChildProcessError:
                    pass
            else:
                found.append((pid, cmdline))
        return found

    def await_no_orphans(self, seconds):
        end = time.monotonic() + seconds
        while (left := self.orphans()) and time.monotonic() < end:
            time.sleep(0.02)
        return left

    def end(self):
        """Kills what still runs; returns a line for each process nobody answers for."""
        for bg in self.background.values():
            if bg.proc.poll() is None:
                self.kill_tree(bg.proc.pid)
                bg.proc.wait()
        self.background.clear()
        left = self.await_no_orphans(LEFTOVER_SECONDS)
        for pid, _ in left:
            self.kill_tree(pid)
        return [f"{pid}: {cmdline}" for pid, cmdline in left]

    # ---- commands: programs in the background ---------------------------------

    def take(self, args, usage):
        if not args or not args[-1].startswith("&") or args[-1][1:] not in self.background:
            raise Failed(f"usage: {usage}")
        return args[-1][1:]

    def cmd_wait(self, args):
        """wait [STATUS] &NAME"""
        name = self.take(args, "wait [STATUS] &NAME")
        bg = self.background[name]
        try:
            self.finish(bg, args[0] if len(args) > 1 else "0")
        finally:
            if bg.proc.returncode is not None:
                del self.background[name]

    def cmd_kill(self, args):
        """kill [-SIGNAL] [-group] [origin|host|worker] &NAME"""
        name = self.take(args, "kill [-SIGNAL] [-group] [origin|host|worker] &NAME")
        bg = self.background[name]
        number, send, role = signal.SIGTERM, os.kill, None
        for arg in args[:-1]:
            if arg == "-group":
                send = os.killpg
            elif arg.startswith("-"):
                number = getattr(signal, "SIG" + arg[1:])
            else:
                role = arg
        while True:
            try:
                send(bg.proc.pid if role is None else self.member(bg, role), number)
                return
            except ProcessLookupError:
                if role is None: # a worker may end meanwhile, and another take its place
                    raise

    def member(self, bg, role):
        """The youngest process of a driver's test binary in that role, once there is one."""
        depth = ("origin", "host", "worker").index(role) + 1
        end = time.monotonic() + self.limit
        while time.monotonic() < end:
            level = {bg.proc.pid}
            for generation in range(depth):
                # What the driver started beside the origin, a compiler say, has other arguments.
                level = {pid for pid, parent, state, cmdline in processes()
                         if parent in level and state != "Z" and (generation > 0 or ORIGIN in cmdline)}
            if level:
                return max(level)
            if bg.proc.poll() is not None:
                raise Failed(f"the program ended before it had a process of the role {role}")
            time.sleep(0.01)
        raise Failed(f"no process of the role {role} after {self.limit} s")

    def cmd_await(self, args):
        """await RE &NAME: until the program's stdout or stderr shows RE"""
        name = self.take(args, "await RE &NAME")
        bg = self.background[name]
        end = time.monotonic() + self.limit
        while time.monotonic() < end:
            text = self.read(bg.out) + self.read(bg.err)
            if re.search(args[0], text, re.M):
                return
            if bg.proc.poll() is not None:
                raise Failed(f"&{name} ended without showing {args[0]}\n{text}")
            time.sleep(0.02)
        raise Failed(f"&{name} does not show {args[0]} after {self.limit} s\n"
                     + self.read(bg.out) + self.read(bg.err))

    def cmd_no_processes(self, args):
        """no-processes [SECONDS]: what the script started has ended, with all below it"""
        left = self.await_no_orphans(float(args[0]) if args else LEFTOVER_SECONDS)
        if left:
            raise Failed(f"still running: {left}")

    # ---- commands: output -----------------------------------------------------

    def match(self, args, negate, text, what):
        count = None
        if args and args[0].startswith("-count="):
            count = int(args[0][7:])
            args = args[1:]
        if len(args) != 1:
            raise Failed(f"usage: {what} [-count=N] RE")
        found = len(re.findall(args[0], text, re.M))
        if count is not None and found != count:
            raise Failed(f"{what}: {found} matches of {args[0]!r}, want {count}")
        if count is None and negate == bool(found):
            raise Failed(f"{what}: {'unwanted' if negate else 'no'} match of {args[0]!r}")

    def cmd_stdout(self, args, negate):
        self.match(args, negate, self.stdout, "stdout")

    def cmd_stderr(self, args, negate):
        self.match(args, negate, self.stderr, "stderr")

    def cmd_grep(self, args, negate):
        """grep [-count=N] RE FILE"""
        self.match(args[:-1], negate, self.read(self.path(args[-1])), f"grep {args[-1]}")

    def cmd_execs(self, args):
        """execs MIN [MAX]: the number after execs: in the last progress line"""
        found = re.findall(r"^fuzz: elapsed: \S+, execs: (\d+) \(\d+/sec\)", self.stdout, re.M)
        if not found:
            raise Failed("no progress line with execs:")
        low, high = int(args[0]), int(args[-1]) if len(args) > 1 else None
        if int(found[-1]) < low or (high is not None and int(found[-1]) > high):
            raise Failed(f"{found[-1]} executions, want {' to '.join(args)}")

    # ---- commands: files --------------------------------------------------------

    def cmd_exists(self, args, negate):
        for name in args:
            found = glob.glob(self.path(name), include_hidden=True)
            if negate == bool(found):
                raise Failed(f"{name}: {'exists' if negate else 'does not exist'}")

    def cmd_only(self, args):
        """only VAR DIR: DIR has exactly one entry; its name goes to $VAR"""
        names = os.listdir(self.path(args[1]))
        if len(names) != 1:
            raise Failed(f"{args[1]}: has {len(names)} entries, want 1: {sorted(names)}")
        self.env[args[0]] = names[0]
        self.say(f"[{args[0]}={names[0]}]")

    def cmd_first(self, args):
        """first VAR DIR: DIR has entries; the name of the first by name goes to $VAR"""
        names = sorted(os.listdir(self.path(args[1])))
        if not names:
            raise Failed(f"{args[1]}: is empty")
        self.env[args[0]] = names[0]
        self.say(f"[{args[0]}={names[0]}, of {len(names)}]")

    def cmd_count(self, args):
        """count MIN[-MAX] PATTERN: how many files the pattern matches"""
        low, _, high = args[0].partition("-")
        found = glob.glob(self.path(args[1]), recursive=True, include_hidden=True)
        if not int(low) <= len(found) <= int(high or low):
            raise Failed(f"{args[1]}: {len(found)} files, want {args[0]}: {sorted(found)[:20]}")

    def cmd_corpus_ok(self, args):
        """corpus-ok DIR: every file below is a whole corpus file with a proper name"""
        seen = 0
        for where, _, names in os.walk(self.path(args[0])):
            for name in names:
                if name == ".goals":  # no input: docs/corpus-format.md
                    continue
                seen += 1
                with open(os.path.join(where, name), "rb") as f:
                    data = f.read()
                if not re.fullmatch(r"[0-9a-f]{16}", name):
                    raise Failed(f"{where}/{name}: not a name that cfuzz gives")
                if not data.startswith(b"go test fuzz v1\n") or not data.endswith(b")\n"):
                    raise Failed(f"{where}/{name}: not a whole corpus file: {data[:80]!r}")
        self.say(f"[{seen} files]")

    def cmd_cmp(self, args, negate):
        if filecmp.cmp(self.path(args[0]), self.path(args[1]), shallow=False) == negate:
            raise Failed(f"{args[0]} and {args[1]} {'are equal' if negate else 'differ'}")

    def cmd_cp(self, args):
        """cp SOURCE... DEST: files or directories; `stdout` and `stderr` are the last outputs"""
        dest = self.path(args[-1])
        for name in args[:-1]:
            if name in ("stdout", "stderr"):
                with open(dest, "w", encoding="utf-8") as f:
                    f.write(getattr(self, name))
            elif os.path.isdir(self.path(name)):
                shutil.copytree(self.path(name), dest, dirs_exist_ok=True)
            else:
                shutil.copy(self.path(name), dest)

    def cmd_rm(self, args):
        for name in args:
            for path in glob.glob(self.path(name), include_hidden=True):
                if os.path.isdir(path) and not os.path.islink(path):
                    shutil.rmtree(path)
                else:
                    os.unlink(path)

    def cmd_mkdir(self, args):
        for name in args:
            os.makedirs(self.path(name), exist_ok=True)

    def cmd_mv(self, args):
        shutil.move(self.path(args[0]), self.path(args[1]))

    def cmd_symlink(self, args):
        """symlink LINK TARGET"""
        os.symlink(args[1], self.path(args[0]))

    def cmd_mkfifo(self, args):
        os.mkfifo(self.path(args[0]))

    def cmd_chmod(self, args):
        os.chmod(self.path(args[1]), int(args[0], 8))

    def cmd_write(self, args):
        """write FILE TEXT: with the escapes of Python's bytes literals"""
        with open(self.path(args[0]), "wb") as f:
            f.write(args[1].encode("latin-1").decode("unicode_escape").encode("latin-1"))

    def cmd_tmpfs(self, args):
        """tmpfs DIR SIZE: a small file system of its own (see namespace)"""
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={args[1]}", "tmpfs",
                        self.path(args[0])], check=True)

    def cmd_fill(self, args):
        """fill DIR: until the file system is full"""
        with open(os.path.join(self.path(args[0]), ".fill"), "wb", buffering=0) as f:
            try:
                while f.write(b"x" * 4096):
                    pass
            except OSError:
                pass

    # ---- commands: the run --------------------------------------------------------

    def cmd_env(self, args):
        for pair in args:
            name, _, value = pair.partition("=")
            self.env[name] = value

    def cmd_unset(self, args):
        for name in args:
            self.env.pop(name, None)

    def cmd_cd(self, args):
        self.cwd = os.path.normpath(self.path(args[0]))
        if not os.path.isdir(self.cwd):
            raise Failed(f"{args[0]}: no such directory")

    def cmd_limit(self, args):
        """limit SECONDS: of each command from here on"""
        if not 0 < int(args[0]) <= LIMIT_MAX:
            raise Failed(f"limit: {args[0]} is not 1 to {LIMIT_MAX}")
        self.limit = int(args[0])

    def cmd_sleep(self, args):
        time.sleep(float(args[0]))

    def cmd_skip(self, args):
        raise Skipped(" ".join(args) or "skip")

    def cmd_stop(self, args):
        raise Stopped(" ".join(args))


def namespace(scripts):
    """Starts the runner again in a mount namespace of its own if a script mounts;
    status 77 where the system does not allow that."""
    if os.environ.get("SCRIPT_NAMESPACE") == "1":
        return
    if not any(re.search(r"^\s*tmpfs ", open(s, encoding="utf-8").read(), re.M) for s in scripts):
        return
    unshare = ["unshare", "--mount"] + ([] if os.geteuid() == 0 else ["--map-root-user"])
    probe = subprocess.run(unshare + ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", "/mnt"],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    if probe.returncode != 0:
        print("skipped: mounting a file system is not allowed here")
        sys.exit(77)
    os.environ["SCRIPT_NAMESPACE"] = "1"
    os.execvp("unshare", unshare + [sys.executable] + sys.argv)


def remove(path):
    """Removes a work directory, whatever permissions and mounts the script left."""
    for where, dirs, _ in os.walk(path):
        for name in dirs:
            full = os.path.join(where, name)
            if not os.path.islink(full):
                os.chmod(full, stat.S_IRWXU)
                if os.path.ismount(full):
                    subprocess.run(["umount", full], check=False)
    shutil.rmtree(path, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=os.path.join(SOURCE, "build"), help="build tree to test")
    parser.add_argument("--keep", action="store_true", help="keep the work directories")
    parser.add_argument("-v", action="store_true", help="print the transcript as it happens")
    parser.add_argument("scripts", nargs="+")
    args = parser.parse_args()
    namespace(args.scripts)
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    failed = skipped = 0
    for path in args.scripts:
        work = os.path.realpath(tempfile.mkdtemp(prefix="cfuzz-script-"))
        script = Script(path, os.path.realpath(args.build), work, args.v)
        start = time.monotonic()
        result = "ok"
        try:
            script.run()
        except Skipped as e:
            result = f"skipped: {e}"
            skipped += 1
        except (Failed, OSError, ValueError, IndexError, re.error,
                subprocess.SubprocessError) as e:
            failed += 1
            if not args.v:
                print("\n".join(script.transcript))
            result = f"FAILED: {e}"
        print(f"{script.name}: {result} ({time.monotonic() - start:.1f} s)", flush=True)
        if args.keep:
            print(f"work directory: {work}")
        else:
            remove(work)
    if failed:
        return 1
    return 77 if skipped == len(args.scripts) else 0


if __name__ == "__main__":
    sys.exit(main())
