"""The audit log, which tells of what the checks do."""

from datetime import datetime, timedelta, timezone

import expect
from harness import Family

family = Family("AuditLogs")

MEMBERS = ["createdTime", "accountName", "userName", "eventName", "userAction", "eventDescription"]


def moment(**distance) -> str:
    return (datetime.now(timezone.utc) + timedelta(**distance)).strftime("%Y-%m-%dT%H:%M:%SZ")


def leave_a_trace(client):
    """Makes and deletes a channel."""
    data = {"slackUrl": "https://hooks.slack.example.com/services/audit"}
    made = client.alert_channels.create("Of the audit check", "SlackChannel", True, data)["data"]
    client.alert_channels.delete(made["intgGuid"])


@family.check("a change is in the log, with who did what")
def trace(service):
    leave_a_trace(service.account)
    entries = [
        entry
        for entry in service.account.audit_logs.get()["data"]
        if entry["eventName"] == "Alert Channel Deleted"
    ]
    assert entries, "the deletion is not in the log"
    expect.texts(entries[0], *MEMBERS)


@family.check("the log is read for a span of days")
def by_date(service):
    leave_a_trace(service.account)
    recent = service.account.audit_logs.get(start_time=moment(days=-6), end_time=moment(minutes=1))["data"]
    assert recent, "nothing in the last six days"
    expect.equal(
        service.account.audit_logs.get(start_time=moment(days=-6), end_time=moment(days=-5)).get("data"),
        [],
        "old entries",
    )


@family.check("the log is searched by user, and returns what was asked for")
def search(service):
    leave_a_trace(service.account)
    user = service.account.user_profile.get()["data"][0]["username"]
    query = {
        "timeFilter": {"startTime": moment(days=-6), "endTime": moment(minutes=1)},
        "filters": [
            {"expression": "rlike", "field": "userName", "value": user},
            {"expression": "eq", "field": "eventName", "value": "Alert Channel Created"},
        ],
        "returns": ["accountName", "userAction", "userName"],
    }
    rows = service.account.audit_logs.search(json=query)["data"]
    assert rows, "the search finds nothing"
    for row in rows:
        expect.equal(sorted(row), ["accountName", "userAction", "userName"], "what a row holds")
        expect.equal(row["userName"], user, "the user")
    expect.refused(
        400,
        "Invalid field",
        service.account.audit_logs.search,
        json={"filters": [{**query["filters"][0], "field": "x"}]},
    )


@family.check("the SDK walks through the log entry by entry")
def entries(service):
    leave_a_trace(service.account)
    walked = list(service.account.audit_logs.session.get_data_items("/api/v2/AuditLogs"))
    expect.equal(walked, service.account.audit_logs.get()["data"], "the entries")


@family.check("the log of the organization tells of the organization's own changes")
def organization(service):
    leave_a_trace(service.organization)
    names = [entry["eventName"] for entry in service.organization.audit_logs.get()["data"]]
    assert "Alert Channel Deleted" in names, f"the log holds {names!r}"
