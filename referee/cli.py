"""`referee ...`: finds the command's module when it is asked for, so that `referee judge` never waits for OpenCV."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping
from typing import Any

import click

from referee import __version__
from referee.commands.lazy import LazyGroup

COMMANDS: Mapping[str, str] = {
    "demo": "The whole product on a simulated table.",
    "serve": "Referee a real table: camera, buttons, dashboard.",
    "watch": "The eye alone: table events of a recording or camera.",
    "read": "Read every face-up card in still photos.",
    "enrol": "Show the camera a new deck once, so that the eye reads it better.",
    "judge": "The rules alone, on a case or a log.",
    "replay": "Eye and rules on a recording.",
    "rules": "List, show and compare rule presets.",
    "table": "Render recordings of a simulated table, with the truth.",
    "mat": "Write the printable table mat.",
    "calibrate": "Find the table in a picture and write the calibration file.",
    "doctor": "Check this machine, and say what to mend.",
    "config": "Show or write the configuration file.",
    "wiring": "Draw where the wires of buttons, lamp and buzzer go.",
    "pin": "Make a new host PIN.",
    "export": "Write a game as JSON or CSV.",
    "backup": "Save everything to one file.",
    "restore": "Bring a backup back.",
    "bench": "Measure a part of the referee on this machine.",
    "train": "Train the eye's networks again.",
}
"""Every command and its line in the help, in the order they are listed."""


FAILED = 2
"""Exit status after input that is wrong, and where the machine does not let a command do its work."""

INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells have it."""


class _Referee(LazyGroup):
    package = "referee.commands"
    lines = COMMANDS

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command. What goes wrong is one line on standard error and exit status 2 (CONTRACT); a reader that
        goes away (`| head`) is no error."""
        try:
            return super().invoke(ctx)
        except click.ClickException as error:
            said = error.format_message()
            if "\n" in said:  # `referee bench` alone: its help
                raise
            if isinstance(error, click.UsageError) and error.ctx is not None:
                path = error.ctx.command_path
                said = f"{said} See: {path} --help"
            else:
                path = f"{ctx.command_path} {ctx.invoked_subcommand}"
            click.echo(f"{path}: {said}", err=True)
            ctx.exit(error.exit_code)
        except BrokenPipeError:
            _write_no_more()
        except OSError as error:  # a full disk, a folder that may not be written, a name that is too long
            what = f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error)
            click.echo(f"{ctx.command_path} {ctx.invoked_subcommand}: {what}", err=True)
            try:
                sys.stdout.flush()
            except OSError:
                _write_no_more()
            ctx.exit(FAILED)
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)


def _write_no_more() -> None:
    """Standard output goes nowhere: the interpreter would fail once more while flushing it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.command(cls=_Referee, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="referee")
def _group() -> None:
    """A camera referee for UNO played with real cards on a real table."""


def main() -> None:
    """Entry point."""
    # OpenCV and FFmpeg would add lines of their own to ours about a file that cannot be read.
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    if isinstance(sys.stdout, io.TextIOWrapper):  # what other programs read is UTF-8, whatever the locale
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    _group.main(prog_name="referee")


if __name__ == "__main__":
    main()
