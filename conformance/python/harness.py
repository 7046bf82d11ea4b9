"""Declares checks, provides the clients they use, and reports their results."""

import json
import signal
import traceback
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Callable
from urllib.parse import urlsplit

from laceworksdk import LaceworkClient

SECONDS_PER_CHECK = 20
FOLDER = Path(__file__).parent
NOT_CHECKS = ["run", "harness", "expect"]


class Service:
    """The server under test, as the SDK reaches it."""

    def __init__(self, url: str, key_file: str, emulators: str):
        self.url = url
        # The output of `emulators.py`.
        self.emulators = json.loads(emulators)
        # The SDK builds its host name from two parts.
        self._account, self._base_domain = urlsplit(url).netloc.split(".", 1)
        self._key = json.loads(Path(key_file).read_text())

    def connect(self, **options) -> LaceworkClient:
        """A new client; options such as `subaccount` belong to a client, so each needs its own."""
        key = {"api_key": self._key["keyId"], "api_secret": self._key["secret"]}
        return LaceworkClient(account=self._account, base_domain=self._base_domain, **{**key, **options})

    @cached_property
    def account(self) -> LaceworkClient:
        return self.connect()

    @cached_property
    def organization(self) -> LaceworkClient:
        client = self.connect()
        client.set_org_level_access(True)
        return client


@dataclass(frozen=True)
class Check:
    fact: str
    run: Callable[[Service], None]
    seconds: int = SECONDS_PER_CHECK


@dataclass
class Family:
    """The checks of one family; each module in `families` defines one as `family`."""

    name: str
    checks: list[Check] = field(default_factory=list)

    def check(self, fact: str, seconds: int = SECONDS_PER_CHECK):
        """Declares a function of the service as a check."""

        def declare(function):
            self.checks.append(Check(f"{self.name}: {fact}", function, seconds))
            return function

        return declare

    def check_each(self, cases: dict, fact: str):
        """Declares a check for each case; the function takes the service, the case's name and its value."""

        def declare(function):
            for name, value in cases.items():
                self.check(f"{name} {fact}")(lambda service, case=(name, value): function(service, *case))
            return function

        return declare


class Tally:
    """Runs checks, prints their results, and counts."""

    def __init__(self):
        self.passed = 0
        self.failed = 0

    def run(self, check: Check, service: Service):
        signal.signal(signal.SIGALRM, _time_out)
        signal.alarm(check.seconds)
        try:
            check.run(service)
        except Exception as error:
            self.fail(check.fact, error)
        else:
            self.passed += 1
            print(f"ok {check.fact}", flush=True)
        finally:
            signal.alarm(0)

    def fail(self, fact: str, error: Exception):
        self.failed += 1
        print(f"FAILED {fact}: {_reason(error)}", flush=True)


def _time_out(_signal, _frame):
    raise TimeoutError("exceeded the time of the check")


def _reason(error: Exception) -> str:
    """The error, its request, and the line of the check that raised it."""
    request = getattr(error, "request", None)
    sent = f" ({request.method} {request.path_url})" if request is not None else ""
    frames = [(Path(frame.filename), frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    own = [(file, line) for file, line in frames if FOLDER in file.parents and file.stem not in NOT_CHECKS]
    lines = ", ".join(f"{file.name}:{line}" for file, line in own)
    return f"{type(error).__name__}: {error}{sent} at {lines or 'an unknown line'}"
