"""Runs every check of every family against the server whose address and key file are given."""

import sys
from importlib import import_module
from pathlib import Path

from harness import Service, Tally

service = Service(url=sys.argv[1], key_file=sys.argv[2])
tally = Tally()
for file in sorted((Path(__file__).parent / "families").glob("*.py")):
    with tally.attempt(f"{file.stem} can be loaded", quiet=True):
        for check in import_module(f"families.{file.stem}").family.checks:
            with tally.attempt(check.fact):
                check.run(service)

print(tally.summary, flush=True)
sys.exit(1 if tally.failed or not tally.passed else 0)
