"""How checks are declared, what they are given, and how their outcome is told."""

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

    def __init__(self, url: str, key_file: str, surroundings: str):
        self.url = url
        # What `emulators.py` said.
        self.surroundings = json.loads(surroundings)
        # The SDK puts its host together from two parts.
        self._account, self._base_domain = urlsplit(url).netloc.split(".", 1)
        self._key = json.loads(Path(key_file).read_text())

    def connect(self, **options) -> LaceworkClient:
        """A further client; options such as `subaccount` stick to a client, so each needs its own."""
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


@dataclass
class Family:
    """The checks of one family; a module in `families` has one, called `family`."""

    name: str
    checks: list[Check] = field(default_factory=list)

    def check(self, fact: str):
        """Makes a check of a function that takes the service."""

        def declare(function):
            self.checks.append(Check(f"{self.name}: {fact}", function))
            return function

        return declare

    def check_each(self, cases: dict, fact: str):
        """Makes a check for each case of a function that takes the service, the case's name and its value."""

        def declare(function):
            for name, value in cases.items():
                self.check(f"{name} {fact}")(lambda service, case=(name, value): function(service, *case))
            return function

        return declare


class Tally:
    """Runs checks, tells how each ends, and counts."""

    def __init__(self):
        self.passed = 0
        self.failed = 0

    def run(self, check: Check, service: Service):
        signal.signal(signal.SIGALRM, _too_slow)
        signal.alarm(SECONDS_PER_CHECK)
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


def _too_slow(_signal, _frame):
    raise TimeoutError(f"it takes longer than {SECONDS_PER_CHECK} s")


def _reason(error: Exception) -> str:
    """The error, the request that it answers, and the line of the check's own code that met it."""
    request = getattr(error, "request", None)
    asked = f" ({request.method} {request.path_url})" if request is not None else ""
    frames = [(Path(frame.filename), frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    own = [(file, line) for file, line in frames if FOLDER in file.parents and file.stem not in NOT_CHECKS]
    places = ", ".join(f"{file.name}:{line}" for file, line in own)
    return f"{type(error).__name__}: {error}{asked} at {places or 'an unknown place'}"
