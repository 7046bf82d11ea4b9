"""Schemathesis hooks: most generated identifiers become real ones, most generated account names are removed."""

import json
import os
from pathlib import Path
from zlib import crc32

import schemathesis

IDS = json.loads(Path(os.environ["VEDETTE_FUZZ_IDS"]).read_text())


def rarely(value) -> bool:
    """One value in eight, the same ones in every run."""
    return crc32(repr(value).encode()) % 8 == 0


@schemathesis.serializer("application/x-ndjson")
def lines(_context, value):
    return json.dumps(value) + "\n"


@schemathesis.hook
def before_call(_context, case, _kwargs):
    # A generated name is hardly ever an account, and then the rest of the request is not evaluated.
    for name in [name for name in case.headers or {} if name.lower() == "account-name"]:
        if not rarely(case.headers[name]):
            del case.headers[name]
    for parameters in (case.path_parameters or {}, case.query or {}):
        for name, value in list(parameters.items()):
            known = IDS.get(f"{case.path} {name}") or IDS.get(name)
            if known and not rarely(value):
                parameters[name] = known[crc32(repr(value).encode()) // 8 % len(known)]
