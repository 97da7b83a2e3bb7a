"""The command line: exit statuses, options, and that no input gives a traceback."""

from __future__ import annotations

import gc
import io
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import pytest
import tomli

from layercheck import __version__
from layercheck.cli import main
from tests.tree import RULES, write_tree

CLEAN = """
# file: a/__init__.py
# file: a/b.py
x = 1
"""

WARNING = """
# file: a/__init__.py
# file: a/b.py
import os
x = 1
"""

ERROR = """
# file: a/__init__.py
# file: a/b.py
import a.gone
x = 1
"""


READY = """
import signal

import layercheck.run
from layercheck.cli import main

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background starts with it ignored
    print("ready", flush=True)
    main()
"""
"""Says when it has come so far that an interrupt meets layercheck and not the start of Python."""


@dataclass(frozen=True, slots=True)
class Done:
    """What a command left behind."""

    status: int
    stdout: str
    stderr: str


def layercheck(*arguments: str | Path, cwd: Path | None = None) -> Done:
    """Run a command in this process, without a cache that can be kept."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["layercheck", *map(str, arguments)])
        patch.setenv("LAYERCHECK_CACHE_DIR", os.devnull)
        patch.setattr(gc, "disable", lambda: None)
        if cwd is not None:
            patch.chdir(cwd)
        with pytest.raises(SystemExit) as ended:
            main()
    assert isinstance(ended.value.code, int)
    return Done(ended.value.code, out.getvalue(), err.getvalue())


def process(*arguments: str | Path, **env: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command as a process of its own, with these environment variables."""
    return subprocess.run(
        [sys.executable, "-m", "layercheck", *map(str, arguments)],
        env={**os.environ, "LAYERCHECK_CACHE_DIR": os.devnull, **env},
        capture_output=True,
        check=False,
        timeout=60,
    )


class TestPart:
    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ((), (True, False)),
            (("-q",), (False, True)),
            (("--diff", "--output", "change.diff"), (False, True)),
            (("--format", "gitlab"), (False, True)),
            (("--output", "report.txt"), (False, True)),
        ],
    )
    def test_that_only_a_part_was_read_is_always_said(
        self, tmp_path: Path, options: tuple[str, ...], said: tuple[bool, bool]
    ) -> None:
        write_tree(tmp_path, "# file: a/b/__init__.py\n" + CLEAN.lstrip("\n"))
        done = layercheck("check", "a/b", *options, cwd=tmp_path)
        note = "Only a.b was read, which is a part of a."
        assert done.status == 0
        assert (note in done.stdout, note in done.stderr) == said

    def test_of_a_whole_nothing_is_said(self, tmp_path: Path) -> None:
        assert layercheck("check", write_tree(tmp_path, CLEAN), "-q").stderr == ""


class TestStatus:
    @pytest.mark.parametrize(
        ("tree", "options", "status"),
        [
            (CLEAN, (), 0),
            (WARNING, (), 0),
            (ERROR, (), 1),
            (WARNING, ("--fail-on", "warning"), 1),
            (CLEAN, ("--fail-on", "warning"), 0),
            (ERROR, ("--exit-zero",), 0),
            (ERROR, ("--ignore", "broken-imports"), 0),
        ],
    )
    def test_of_what_was_found(self, tmp_path: Path, tree: str, options: tuple[str, ...], status: int) -> None:
        done = layercheck("check", write_tree(tmp_path, tree), *options)
        assert done.status == status
        assert done.stderr == ""

    @pytest.mark.parametrize(
        ("arguments", "lines"),
        [
            (["nowhere"], ["layercheck: nowhere: there is no such folder"]),
            (["a/b.py"], ["layercheck: a/b.py: is a file; give the folder"]),
            (["--rules", "x.toml"], ["x.toml: the rules file cannot be read: No such file or directory"]),
            (["--output", "no/such/report.txt"], ["layercheck: --output: there is no folder no/such"]),
            (["--output", "a"], ["layercheck: --output: a is a folder; give the name of a file"]),
            (
                ["--select", "cycels"],
                ["layercheck: --select: no check or rule is called 'cycels'; did you mean 'cycles'?"],
            ),
            (
                ["--select", "x1,cycles,x2", "--ignore", "x3"],
                ["called 'x1'", "called 'x2'", "layercheck: --ignore: no check or rule is called 'x3'"],
            ),
            (["--package", "aa"], ["layercheck: --package: no package or module is called 'aa'"]),
        ],
    )
    def test_what_cannot_run_is_told_in_one_line_each(
        self, tmp_path: Path, arguments: list[str], lines: list[str]
    ) -> None:
        done = layercheck("check", *arguments, cwd=write_tree(tmp_path, ERROR))
        assert (done.status, done.stdout) == (2, "")
        told = done.stderr.splitlines()
        assert len(told) == len(lines)
        assert all(part in line for line, part in zip(told, lines, strict=True)), told

    @pytest.mark.parametrize(
        ("arguments", "part"),
        [
            (["--format", "xml"], "'xml' is not one of"),
            (["--jobs", "0"], "0 is not in the range"),
            (["--jobs", "many"], "'many' is not a valid integer"),
            (["--select", "cycles,,layers"], "holds an empty name"),
            (["--no-such-option"], "No such option"),
            (["--fail-on", "note"], "'note' is not one of"),
        ],
    )
    def test_wrong_usage(self, tmp_path: Path, arguments: list[str], part: str) -> None:
        done = layercheck("check", *arguments, cwd=write_tree(tmp_path, CLEAN))
        assert (done.status, done.stdout) == (2, "")
        assert part in done.stderr

    def test_every_fault_of_a_rules_file(self, tmp_path: Path) -> None:
        rules = "[checks]\ncycels = 'error'\n[[rule]]\nname = 'x'\n"
        done = layercheck("check", write_tree(tmp_path, f"{ERROR}# file: {RULES}\n{rules}"))
        assert (done.status, done.stdout) == (2, "")
        assert done.stderr.splitlines() == [
            "layercheck: layercheck.toml:2: checks.cycels: no check is called 'cycels'; did you mean 'cycles'?",
            "layercheck: layercheck.toml:3: rule x, check: missing; add check = ...",
            "layercheck: layercheck.toml:3: rule x, reason: missing; add reason = ...",
        ]

    @pytest.mark.parametrize(
        ("rules", "shown"),
        [
            ('extends = ["a\\u001b[2Jb.toml"]', "there is no file a\\x1b[2Jb.toml"),
            ('extends = ["a\\u0000b.toml"]', "there is no file a\\x00b.toml"),
            ('extends = ["a\\nb.toml"]', "there is no file a\\nb.toml"),
            ('include = ["\\u001b*.toml"]', "no file matches '\\x1b*.toml'"),
        ],
    )
    def test_what_it_says_is_printable(self, tmp_path: Path, rules: str, shown: str) -> None:
        done = layercheck("check", write_tree(tmp_path, f"{ERROR}# file: {RULES}\n{rules}\n"))
        assert (done.status, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1
        assert shown in done.stderr

    @pytest.mark.parametrize("text", ["", "\n", "[checks]\n", "[[rule]]\n", "[project]\n"])
    def test_a_rules_file_that_declares_nothing(self, tmp_path: Path, text: str) -> None:
        write_tree(tmp_path, CLEAN)
        (tmp_path / RULES).write_text(text)
        done = layercheck("check", tmp_path)
        assert done.status == 2
        assert "declares nothing" in done.stderr or "missing" in done.stderr

    @pytest.mark.parametrize(
        "arguments",
        [
            ("check", "{}"),
            ("check", "--rules", "{}"),
            ("check", "--output", "{}"),
            ("check", "--baseline", "{}"),
            ("init", "{}"),
            ("migrate", "{}"),
            ("migrate", "--from", "{}"),
            ("migrate", "--output", "{}"),
            ("baseline", "write", "--baseline", "{}"),
            ("baseline", "prune", "--baseline", "{}"),
            ("moves", "verify", "{}", "."),
        ],
    )
    @pytest.mark.parametrize("path", ["", "x" * 300, "x/" * 3000, "a\0b", "a\nb/c", "\udcff/x", ".", "layercheck/.."])
    def test_a_path_may_be_any_text(self, tmp_path: Path, arguments: tuple[str, ...], path: str) -> None:
        (tmp_path / "setup.cfg").write_text("[importlinter]\nroot_package = a\n")
        done = layercheck(*(one.replace("{}", path) for one in arguments), cwd=write_tree(tmp_path, CLEAN))
        assert "Traceback" not in done.stderr
        assert done.status == 2 or path in (".", "layercheck/..")
        if not path and arguments[0] != "moves":
            assert "is empty" in done.stderr

    def test_an_empty_output_is_called_so(self, tmp_path: Path) -> None:
        done = layercheck("check", "--output", "", cwd=write_tree(tmp_path, CLEAN))
        assert (done.status, done.stderr) == (2, "layercheck: --output is empty; name a path, or leave it out\n")

    def test_a_bug_is_called_one(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*arguments: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr("layercheck.run.check", fail)
        done = layercheck("check", write_tree(tmp_path, CLEAN))
        assert (done.status, done.stdout) == (2, "")
        assert "ZeroDivisionError" in done.stderr
        assert done.stderr.splitlines()[-1].startswith("layercheck: this is a bug in layercheck")

    def test_an_interrupt_while_the_program_is_loaded(self) -> None:
        program = """
import sys
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "click":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupt())
from layercheck.__main__ import main
main()
"""
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (130, "", "layercheck: interrupted\n")


class TestOptions:
    def test_rules_in_another_place(self, tmp_path: Path) -> None:
        write_tree(tmp_path, f"{WARNING}# file: rules/own.toml\n[checks]\norphaned-imports = 'error'\n")
        assert layercheck("check", tmp_path).status == 0
        assert layercheck("check", tmp_path, "--rules", tmp_path / "rules" / "own.toml").status == 1
        assert layercheck("check", "--rules", "rules/own.toml", cwd=tmp_path).status == 1

    def test_rules_in_pyproject(self, tmp_path: Path) -> None:
        write_tree(tmp_path, f"{WARNING}# file: pyproject.toml\n[tool.layercheck.checks]\norphaned-imports = 'error'\n")
        assert layercheck("check", tmp_path).status == 1

    def test_output_to_a_file(self, tmp_path: Path) -> None:
        write_tree(tmp_path, ERROR)
        done = layercheck("check", tmp_path, "--output", tmp_path / "report.txt")
        assert (done.status, done.stdout, done.stderr) == (1, "", "")
        assert (tmp_path / "report.txt").read_text() == layercheck("check", tmp_path).stdout

    def test_json(self, tmp_path: Path) -> None:
        report = json.loads(layercheck("check", write_tree(tmp_path, ERROR), "--format", "json").stdout)
        assert (report["version"], report["status"]) == (1, "findings")
        assert report["root"] == tmp_path.resolve().as_posix()
        assert [(one["path"], one["line"]) for one in report["findings"]] == [("a/b.py", 1)]

    def test_quiet_gives_the_findings_alone(self, tmp_path: Path) -> None:
        write_tree(tmp_path, ERROR)
        full, quiet = layercheck("check", tmp_path).stdout, layercheck("check", tmp_path, "-q").stdout
        assert full.startswith(quiet)
        assert quiet.startswith("a/b.py:1:8: error: broken-imports\n")
        assert "imports: " not in quiet
        assert layercheck("check", write_tree(tmp_path, CLEAN), "-q").stdout == ""

    def test_quiet_leaves_json_whole(self, tmp_path: Path) -> None:
        report = json.loads(layercheck("check", write_tree(tmp_path, ERROR), "-q", "--format", "json").stdout)
        assert report["rules"]

    def test_verbose_says_more(self, tmp_path: Path) -> None:
        write_tree(tmp_path, CLEAN)
        told = layercheck("check", tmp_path, "-v").stdout
        assert f"Root: {tmp_path.resolve().as_posix()}" in told
        assert "of 2 files from the cache." in told
        (tmp_path / RULES).write_text("[checks]\ncycles = 'error'\n")
        told = layercheck("check", tmp_path, "-v").stdout
        assert "Rules: layercheck.toml" in told
        assert told.startswith("# rules file: layercheck.toml\n")
        assert "[checks.cycles]  # layercheck.toml:2\n" in told
        assert json.loads(layercheck("check", tmp_path, "-v", "--format", "json").stdout)["status"] == "clean"

    def test_settings_of_several_files_say_where_they_come_from(self, tmp_path: Path) -> None:
        files = f"""
# file: {RULES}
extends = ["rules/x.toml"]
include = ["a/layercheck.toml"]
[project]
api = ["a"]
# file: rules/x.toml
[checks]
cycles = "off"
# file: a/layercheck.toml
[[rule]]
name = "r"
check = "layers"
reason = "y"
order = ["b", "c"]
# file: a/__init__.py
# file: a/b.py
# file: a/c.py
"""
        told = layercheck("check", write_tree(tmp_path, files), "-v").stdout.splitlines()
        assert told[: told.index("")] == layercheck("check", tmp_path, "--show-settings").stdout.splitlines()[:3]
        assert 'within = "a"' in layercheck("check", tmp_path, "--show-settings").stdout.splitlines()
        for line in (
            "# and rules/x.toml",
            "# and a/layercheck.toml",
            'api = ["a"]  # layercheck.toml:4',
            "[checks.cycles]  # rules/x.toml:2",
            "[[rule]]  # a/layercheck.toml:1",
            'within = "a"',
        ):
            assert line in told

    def test_the_same_input_gives_the_same_text(self, tmp_path: Path) -> None:
        write_tree(tmp_path, ERROR)
        one, other = (process("check", tmp_path, PYTHONHASHSEED=seed) for seed in ("1", "2"))
        assert one.returncode == other.returncode == 1
        assert one.stdout == other.stdout != b""

    def test_several_lists_of_names(self, tmp_path: Path) -> None:
        write_tree(tmp_path, ERROR)
        done = layercheck("check", tmp_path, "--select", "cycles, stale-reexports", "--select", "indirect-imports")
        names = {line.split("  ")[0] for line in done.stdout.splitlines() if " modules, " in line and "  " in line}
        assert names == {"cycles", "stale-reexports", "indirect-imports"}

    def test_show_settings(self, tmp_path: Path) -> None:
        rules = """
[project]
api = ["a"]
[[rule]]
name = "floors"
check = "layers"
reason = "x"
within = "a"
order = ["b", ["c", "d"]]
ignore = [{ import = "a.b -> a.c", reason = "y" }]
"""
        write_tree(tmp_path, f"{ERROR}# file: {RULES}{rules}")
        done = layercheck("check", tmp_path, "--show-settings")
        assert (done.status, done.stderr) == (0, "")
        for line in (
            "# rules file: layercheck.toml",
            'api = ["a"]  # layercheck.toml:2',
            "[[rule]]  # layercheck.toml:3",
            'name = "floors"',
            'check = "layers"',
            'order = ["b", ["c", "d"]]',
            'ignore = ["a.b -> a.c"]',
            "[checks.cycles]  # not in a rules file",
        ):
            assert line in done.stdout.splitlines()

    def test_settings_are_shown_in_toml(self, tmp_path: Path) -> None:
        rules = """
[[rule]]
name = "a \\"b\\" \u00fc\U0001f600"
check = "private-names"
reason = "x"
interfaces = { "a.b" = ["x"], a = ["c", "d"] }
[[rule]]
name = "c"
check = "oversized-modules"
reason = "x"
max_lines = { "*.b" = 3, "**" = 9 }
"""
        write_tree(tmp_path, f"{CLEAN}# file: {RULES}{rules}")
        done = layercheck("check", tmp_path, "--show-settings")
        shown = tomli.loads(done.stdout)["rule"]
        assert shown[0]["name"] == 'a "b" \u00fc\U0001f600'
        assert shown[0]["interfaces"] == {"a.b": ["x"], "a": ["c", "d"]}
        assert shown[1]["max_lines"] == {"*.b": 3, "**": 9}

    def test_version_and_help_are_quick(self) -> None:
        assert layercheck("--version").stdout == f"layercheck {__version__}\n"
        assert "check" in layercheck("--help").stdout
        assert "--select" in layercheck("check", "--help").stdout
        loaded = subprocess.run(
            [sys.executable, "-X", "importtime", "-m", "layercheck", "--version"], capture_output=True, check=True
        ).stderr
        assert b"layercheck.cli" in loaded
        assert not any(name in loaded for name in (b"msgspec", b"grimp", b"networkx", b"layercheck.run", b"tomli"))

    def test_no_command_shows_what_there_is(self) -> None:
        assert "check" in (done := layercheck()).stdout + done.stderr


class TestTerminals:
    TREE = "# file: a/__init__.py\nfrom a import grün\n# file: a/grüße.py\n(\n"

    @pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8", "cp437"])
    def test_what_it_cannot_say_is_escaped(self, tmp_path: Path, encoding: str) -> None:
        write_tree(tmp_path, self.TREE)
        done = process("check", tmp_path, PYTHONIOENCODING=encoding, PYTHONUTF8="0")
        assert (done.returncode, done.stderr) == (1, b"")
        said = done.stdout.decode(encoding)
        assert ("gr\\xfc" if encoding == "ascii" else "grü") in said

    def test_json_is_the_same_on_every_terminal(self, tmp_path: Path) -> None:
        write_tree(tmp_path, self.TREE)
        report = json.loads(process("check", tmp_path, "--format", "json", PYTHONIOENCODING="ascii").stdout)
        assert {one["path"] for one in report["findings"]} == {"a/__init__.py", "a/grüße.py"}

    def test_a_reader_that_leaves_is_no_error(self, tmp_path: Path) -> None:
        write_tree(tmp_path, "# file: a/__init__.py\n" + "import a.gone\n" * 2000)
        process = subprocess.Popen(
            [sys.executable, "-m", "layercheck", "check", str(tmp_path), "--no-cache"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
        process.stderr.close()
        assert process.wait(60) == 1

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
    def test_a_full_disk_is_told(self, tmp_path: Path) -> None:
        write_tree(tmp_path, CLEAN)
        with Path("/dev/full").open("w") as full:
            done = subprocess.run(
                [sys.executable, "-m", "layercheck", "check", str(tmp_path), "--no-cache"],
                stdout=full,
                stderr=subprocess.PIPE,
                check=False,
            )
        assert done.returncode == 2
        assert done.stderr == b"layercheck: the report cannot be written: No space left on device\n"

    @pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
    def test_closed_streams(self, tmp_path: Path) -> None:
        write_tree(tmp_path, ERROR)
        command = f'"{sys.executable}" -m layercheck check "{tmp_path}" --no-cache'
        done = subprocess.run(["sh", "-c", f"{command} >&- 2>&-"], capture_output=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"")

    @pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
    @pytest.mark.parametrize("jobs", ["1", "2"])
    def test_an_interrupt_gives_one_line(self, tmp_path: Path, jobs: str) -> None:
        lines = "".join(f"def f{index}(a): return [a for b in a if b] + {{'x': a}}\n" for index in range(1500))
        write_tree(tmp_path, "".join(f"# file: a/m{index}.py\n{lines}" for index in range(150)))
        process = subprocess.Popen(
            [sys.executable, "-c", READY, "check", str(tmp_path), "--no-cache", "--jobs", jobs],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        time.sleep(1)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=30)
        assert (process.returncode, out, err) == (130, b"", b"layercheck: interrupted\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
class TestProgress:
    def run(self, tmp_path: Path, *options: str) -> tuple[bytes, bytes]:
        """Standard output, and what a terminal on standard error shows."""
        import pty

        write_tree(tmp_path, ERROR)
        parent, child = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", "layercheck", "check", str(tmp_path), "--no-cache", *options],
            stdout=subprocess.PIPE,
            stderr=child,
        )
        out, _ = process.communicate(timeout=60)
        os.close(child)
        shown = b""
        try:
            while part := os.read(parent, 1024):
                shown += part
        except OSError:
            pass
        os.close(parent)
        return out, shown

    def test_it_is_drawn_on_a_terminal(self, tmp_path: Path) -> None:
        out, shown = self.run(tmp_path)
        assert b"Reading" in shown
        assert b"2/2" in shown
        assert b"Reading" not in out

    def test_it_is_not_drawn_when_quiet(self, tmp_path: Path) -> None:
        assert self.run(tmp_path, "-q")[1] == b""
