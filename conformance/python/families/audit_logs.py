"""The audit log, with the changes of the checks."""

from datetime import datetime, timedelta, timezone

import expect
from harness import Family

family = Family("AuditLogs")

MEMBERS = ["createdTime", "accountName", "userName", "eventName", "userAction", "eventDescription"]


def timestamp(**distance) -> str:
    return (datetime.now(timezone.utc) + timedelta(**distance)).strftime("%Y-%m-%dT%H:%M:%SZ")


def change_a_channel(client):
    """Creates and deletes a channel."""
    data = {"slackUrl": "https://hooks.slack.example.com/services/audit"}
    created = client.alert_channels.create("Of the audit check", "SlackChannel", True, data)["data"]
    client.alert_channels.delete(created["intgGuid"])


@family.check("a change is logged with its user and action")
def trace(service):
    change_a_channel(service.account)
    entries = [
        entry
        for entry in service.account.audit_logs.get()["data"]
        if entry["eventName"] == "Alert Channel Deleted"
    ]
    assert entries, "the deletion is not in the log"
    expect.strings(entries[0], *MEMBERS)


@family.check("the log is read for a time range")
def by_date(service):
    change_a_channel(service.account)
    recent = service.account.audit_logs.get(start_time=timestamp(days=-6), end_time=timestamp(minutes=1))["data"]
    assert recent, "no entries in the last six days"
    expect.equal(
        service.account.audit_logs.get(start_time=timestamp(days=-6), end_time=timestamp(days=-5)).get("data"),
        [],
        "old entries",
    )


@family.check("the log is searched by user, with only the requested members")
def search(service):
    change_a_channel(service.account)
    user = service.account.user_profile.get()["data"][0]["username"]
    query = {
        "timeFilter": {"startTime": timestamp(days=-6), "endTime": timestamp(minutes=1)},
        "filters": [
            {"expression": "rlike", "field": "userName", "value": user},
            {"expression": "eq", "field": "eventName", "value": "Alert Channel Created"},
        ],
        "returns": ["accountName", "userAction", "userName"],
    }
    rows = service.account.audit_logs.search(json=query)["data"]
    assert rows, "the search returned nothing"
    for row in rows:
        expect.equal(sorted(row), ["accountName", "userAction", "userName"], "the members of a row")
        expect.equal(row["userName"], user, "the user")
    expect.rejected(
        400,
        "Invalid field",
        service.account.audit_logs.search,
        json={"filters": [{**query["filters"][0], "field": "x"}]},
    )


@family.check("the SDK iterates over the log entries")
def entries(service):
    change_a_channel(service.account)
    walked = list(service.account.audit_logs.session.get_data_items("/api/v2/AuditLogs"))
    expect.equal(walked, service.account.audit_logs.get()["data"], "the entries")


@family.check("the log of the organization contains the organization's own changes")
def organization(service):
    change_a_channel(service.organization)
    names = [entry["eventName"] for entry in service.organization.audit_logs.get()["data"]]
    assert "Alert Channel Deleted" in names, f"the log holds {names!r}"
