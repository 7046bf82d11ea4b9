"""Runs every check of every family against the given server and emulators."""

import sys
from importlib import import_module
from pathlib import Path

from harness import Service, Tally

service = Service(url=sys.argv[1], key_file=sys.argv[2], emulators=sys.argv[3])
tally = Tally()
for file in sorted((Path(__file__).parent / "families").glob("*.py")):
    try:
        family = import_module(f"families.{file.stem}").family
    except Exception as error:
        tally.fail(f"{file.name} can be loaded", error)
        continue
    for check in family.checks:
        tally.run(check, service)

print(f"{tally.passed} passed, {tally.failed} failed", flush=True)
sys.exit(1 if tally.failed or not tally.passed else 0)
