"""The command `granule`."""

import argparse
import signal
import sys

from granule import __version__
from granule.commands import fields, figures, plot, run, walk
from granule.simulator import RunFailed, SimulatorError

COMMANDS = {"walk": walk, "fields": fields, "run": run, "figures": figures, "plot": plot}
EXPECTED = (ValueError, SimulatorError, RunFailed, OSError)


def parser_of(command, parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """The parser with what a module of `commands` knows: its text, its arguments, its `run`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.description = command.__doc__
    parser.epilog = command.EPILOG.format(command=parser.prog)
    command.add_arguments(parser)
    parser.set_defaults(run=command.run)
    return parser


def start(parser: argparse.ArgumentParser) -> None:
    """Runs what was asked for; what is wrong with it is a sentence on stderr and status 2."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` is no error
    args = parser.parse_args()
    try:
        sys.exit(args.run(args))
    except EXPECTED as error:
        named = isinstance(error, OSError) and error.filename
        said = f"{error.filename}: {error.strerror}" if named else error
        print(f"{parser.prog}: {said}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="granule",
        description="Granule, an open MMU: walks of its golden model, runs of its simulator.",
        epilog="docs/python.md is the guide; `granule COMMAND --help` tells more.",
    )
    parser.add_argument("--version", action="version", version=f"granule {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        summary = command.__doc__.partition(".")[0].partition("\n\n")[0].replace("\n", " ")
        parser_of(command, commands.add_parser(name, help=summary))
    start(parser)


if __name__ == "__main__":
    main()
