"""Sends generated requests to every operation of the OpenAPI document and checks every response against it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

import records
import requests

CHECKS = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
]
# Operations without generated requests, each with the reason. Currently none.
EXCLUDED: dict[str, str] = {}
# Operations whose members a short run does not cover one by one, each with the reason; they are still fuzzed.
NOT_COVERED = {
    "POST /api/v2/CloudAccounts": "19 types take 2,300 cases, and tests are generated from their declarations",
    "PUT /api/v2/CloudAccounts/{intgGuid}": "the same types",
    "PUT /api/v2/AlertChannels/{intgGuid}": "takes the body of POST, which is covered",
    "PATCH /api/v2/ReportRules/{mcGuid}": "takes the members of POST, which is covered",
}
SHORT_RUN = 5_000
LINE_LENGTH = 600
FOLDER = Path(__file__).parent


class Api:
    """The administrator of the first account."""

    def __init__(self, url: str, key_file: str):
        self.url = url
        key = json.loads(Path(key_file).read_text())
        self._session = requests.Session()
        self._session.trust_env = False
        self._session.headers["X-LW-UAKS"] = key["secret"]
        self.token = self._request("POST", "access/tokens", {"keyId": key["keyId"], "expiryTime": 86_400})["token"]
        del self._session.headers["X-LW-UAKS"]
        self._session.headers["Authorization"] = f"Bearer {self.token}"

    def post(self, path: str, body: dict) -> dict:
        return self._request("POST", path, body)["data"]

    def list(self, path: str) -> list:
        reply = self._request("GET", path)
        return reply if isinstance(reply, list) else reply["data"]

    def document(self) -> dict:
        return self._request("GET", "openapi.json")

    def _request(self, method: str, path: str, body: dict | None = None) -> dict:
        reply = self._session.request(method, f"{self.url}/api/v2/{path}", json=body, timeout=60)
        if not reply.ok:
            raise RuntimeError(f"{method} {path} returned {reply.status_code}: {reply.text}")
        return reply.json()


def known_ids(api: Api, document: dict, hidden: str) -> dict[str, list[str]]:
    """Identifiers of the existing records, for each operation with one in its path."""
    ids = {"policyId": [records.EXCEPTED_POLICY]}
    for path in document["paths"]:
        family, _, rest = path.removeprefix("/api/v2/").partition("/{")
        name = rest.partition("}")[0]
        if not name or "get" not in document["paths"].get(f"/api/v2/{family}", {}):
            continue
        query = f"?policyId={quote(records.EXCEPTED_POLICY)}" if family == "Exceptions" else ""
        identifiers = [identifier(record, name) for record in api.list(f"{family}{query}")]
        ids[f"{path} {name}"] = [one for one in identifiers if one != hidden]
    return ids


def identifier(record: dict | str, name: str) -> str:
    # If the path and the record name it differently, it is the record's first member.
    return record if isinstance(record, str) else str(record.get(name, next(iter(record.values()))))


def settings(directory: Path, not_covered: dict[str, str]) -> Path:
    file = directory / "schemathesis.toml"
    sections = [
        '[auth.openapi.token]\nbearer = "${VEDETTE_FUZZ_TOKEN}"',
        '[auth.openapi.agentToken]\nbearer = "${VEDETTE_FUZZ_AGENT_TOKEN}"',
        *(f"[[operations]]\ninclude-name = {json.dumps(name)}\nenabled = false" for name in EXCLUDED),
        *(
            f"[[operations]]\ninclude-name = {json.dumps(name)}\nphases.coverage.enabled = false"
            for name in not_covered
        ),
    ]
    file.write_text("\n\n".join(sections) + "\n")
    return file


def fuzz(api: Api, cases: int) -> int:
    records.create(api)
    agent = api.post("AgentAccessTokens", {"tokenAlias": "fuzz", "tokenEnabled": 1})["accessToken"]
    document = api.document()
    not_covered = NOT_COVERED if cases < SHORT_RUN else {}
    operations = sum(len(methods) for methods in document["paths"].values())
    with TemporaryDirectory() as temporary:
        ids = Path(temporary) / "ids.json"
        ids.write_text(json.dumps(known_ids(api, document, agent)))
        command = [
            *[sys.executable, "-B", "-m", "schemathesis.cli"],
            *["--config-file", str(settings(Path(temporary), not_covered))],
            *["run", f"{api.url}/api/v2/openapi.json", "--checks", ",".join(CHECKS)],
            *["--phases", "coverage,fuzzing", "--max-examples", str(max(1, cases // operations))],
            *["--generation-deterministic", "--suppress-health-check", "all"],
            *["--continue-on-failure", "--no-color", "--request-timeout", "60", "--warnings", "off"],
        ]
        environment = {
            **os.environ,
            "PYTHONPATH": str(FOLDER),
            "SCHEMATHESIS_HOOKS": "hooks",
            "VEDETTE_FUZZ_IDS": str(ids),
            "VEDETTE_FUZZ_TOKEN": api.token,
            "VEDETTE_FUZZ_AGENT_TOKEN": agent,
        }
        process = subprocess.run(
            command, env=environment, cwd=temporary, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
    for name, reason in EXCLUDED.items():
        print(f"excluded from generated requests: {name}: {reason}")
    for name, reason in not_covered.items():
        print(f"fuzzed, but not covered member by member: {name}: {reason}")
    lines = [line[:LINE_LENGTH] for line in process.stdout.splitlines()]
    counted = next((line.strip() for line in lines if " generated, " in line), "no cases")
    if process.returncode:
        print("\n".join(lines))
    verdict = "FAILED" if process.returncode else "ok"
    print(f"{verdict} Schemathesis: {operations} operations conform to the OpenAPI document: {counted}", flush=True)
    return process.returncode


sys.exit(1 if fuzz(Api(url=sys.argv[1], key_file=sys.argv[2]), cases=int(sys.argv[3])) else 0)
