"""Reports: from collected resources to evaluations, and to reports in the forms of the clients."""

import json
import time
from collections import Counter
from functools import cache

import expect
import requests
from forms import AWS_EVALUATION, AWS_REPORT, FRAMEWORK, decoded
from harness import Family

family = Family("Reports")

ACCOUNT = "210987654321"
TITLE = "CIS Amazon Web Services Foundations Benchmark v1.4.0"
SHORT_PASSWORDS, ROOT_KEY, ADMIN_POLICIES = "lacework-global-39", "lacework-global-34", "lacework-global-46"
ROOT = f"arn:aws:iam::{ACCOUNT}:root"


def send(service, token: str, kind: str, query: str, *configs: dict):
    """Ends a snapshot of a kind of the account."""
    facts = {"key": ROOT, "resourceId": ACCOUNT, "resourceRegion": "aws-global", "accountAlias": "shop"}
    started = int(time.time() * 1_000)
    response = requests.post(
        f"{service.url}/ingest/v1/resources/aws/{ACCOUNT}/{kind}/aws-global?started={started}&ended={started}&{query}",
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/x-ndjson"},
        data="\n".join(json.dumps({**facts, "resourceType": kind, "config": config}) for config in configs),
        timeout=60,
    )
    expect.equal(response.status_code, 200, f"the status of {kind} ({response.text})")


def search(service, **fields) -> list[dict]:
    filters = [{"field": name, "expression": "eq", "value": value} for name, value in fields.items()]
    pages = service.account.configs.compliance_evaluations.search(
        json={"dataset": "AwsCompliance", "filters": filters}
    )
    return [record for page in pages for record in page["data"]]


@cache
def evaluated(service):
    """Sends an account with short passwords, whose policies could not be read, and waits for its evaluations."""
    tokens = service.account.agent_access_tokens
    alias = f"Of the reports {time.time_ns()}"
    token = tokens.create(alias, True, token_purpose="collector")["data"]["accessToken"]
    send(
        *(service, token, "LW_CFG_AWS_IAM_ACCOUNT_PASSWORD_POLICY", "status=collected&parts=1&part=1"),
        {"MinimumPasswordLength": 8},
    )
    send(
        *(service, token, "LW_CFG_AWS_IAM_ACCOUNT_SUMMARY", "status=collected&parts=1&part=1"),
        {"AccountAccessKeysPresent": 0, "AccountMFAEnabled": 1},
    )
    send(service, token, "LW_CFG_AWS_IAM_POLICIES", "status=denied&parts=0&reason=AccessDenied")
    wanted = {SHORT_PASSWORDS, ROOT_KEY, ADMIN_POLICIES}
    while not wanted <= {record["id"] for record in search(service)}:
        time.sleep(0.2)


# New resources are left to settle before all policies are evaluated.
@family.check("resources are evaluated, and a search returns records that clients decode", seconds=180)
def evaluations(service):
    evaluated(service)
    records = search(service)
    decoded(records, [AWS_EVALUATION], "the records")
    (violated,) = [record for record in records if record["id"] == SHORT_PASSWORDS]
    expect.contains(violated, {"status": "NonCompliant", "resource": ACCOUNT, "evalType": "LW_SA"})
    statuses = {record["id"]: record["status"] for record in records}
    expect.contains(statuses, {ROOT_KEY: "Compliant", ADMIN_POLICIES: "CouldNotAssess"}, "the statuses")
    expect.equal([one["id"] for one in search(service, id=ROOT_KEY)], [ROOT_KEY], "the search by policy")


@family.check("as JSON they have the keys and numbers that the Go client decodes, and their sums are right")
def as_json(service):
    evaluated(service)
    response = service.account.reports.get(ACCOUNT, format="json", report_type="AWS_CIS_14")
    expect.contains(response, {"ok": True, "message": "SUCCESS"}, "the response")
    decoded(response["data"], [AWS_REPORT], "data")
    (report,) = response["data"]
    expect.contains(report, {"reportType": TITLE, "reportTitle": TITLE, "accountId": ACCOUNT})
    by_id = {one["REC_ID"]: one for one in report["recommendations"]}
    statuses = {name: by_id[name]["STATUS"] for name in [SHORT_PASSWORDS, ROOT_KEY, ADMIN_POLICIES]}
    expected = ["NonCompliant", "Compliant", "CouldNotAssess"]
    expect.equal(list(statuses.values()), expected, "the statuses")
    (violation,) = by_id[SHORT_PASSWORDS]["VIOLATIONS"]
    expect.contains(violation, {"resource": ACCOUNT, "reasons": ["MinimumPasswordLengthTooShort"]})
    (summary,) = report["summary"]
    counts = Counter(one["STATUS"] for one in by_id.values())
    severities = [summary[f"NUM_SEVERITY_{severity}_NON_COMPLIANCE"] for severity in range(1, 6)]
    expect.equal(summary["NUM_RECOMMENDATIONS"], len(by_id), "NUM_RECOMMENDATIONS")
    expect.equal(summary["NUM_NOT_COMPLIANT"], counts["NonCompliant"], "NUM_NOT_COMPLIANT")
    expect.equal(summary["NUM_COMPLIANT"], counts["Compliant"], "NUM_COMPLIANT")
    expect.equal(sum(severities), counts["NonCompliant"], "the sum of the severities")


@family.check("the name that the CLI sends instead of the type gives the same report")
def by_name(service):
    evaluated(service)
    reports = service.account.reports
    by_type = reports.get(ACCOUNT, format="json", report_type="AWS_CIS_14")
    expect.equal(reports.get(ACCOUNT, format="json", report_name=TITLE), by_type, "the report by its name")
    nothing = reports.get("000000000000", format="json", report_type="AWS_CIS_14")
    expect.equal(nothing["data"], [], "the report of an unknown account")


@family.check_each(
    {"pdf": b"%PDF-", "html": b"<!DOCTYPE html>", "csv": b"", None: b"%PDF-"},
    "reports are the bytes of a file",
)
def as_file(service, format, start):
    evaluated(service)
    content = service.account.reports.get(ACCOUNT, format=format, report_type="AWS_CIS_14")
    assert isinstance(content, bytes) and content.startswith(start), content[:100]
    if format in ("html", "csv"):
        assert SHORT_PASSWORDS.encode() in content, "the report lacks the violated policy"


@family.check("requests without a type or a cloud account are rejected by name")
def rejected(service):
    get = service.account.reports.get
    expect.rejected(400, "reportType", get, ACCOUNT, format="json")
    expect.rejected(400, "primaryQueryId", get, format="json", report_type="AWS_CIS_14")
    expect.rejected(400, "format", get, ACCOUNT, format="docx", report_type="AWS_CIS_14")


@family.check("the frameworks have the names by which the CLI asks for reports")
def frameworks(service):
    # The SDK has no such family.
    listed = service.account._session.get(f"{service.url}/api/v2/Frameworks").json()
    decoded(listed["data"], [FRAMEWORK], "data")
    expect.one(listed, "name", TITLE)
