"""The audit log, which tells of what the checks do."""

from datetime import datetime, timedelta, timezone

import expect
from harness import Family

family = Family("AuditLogs")

MEMBERS = ["createdTime", "accountName", "userName", "eventName", "userAction", "eventDescription"]


def moment(**distance) -> str:
    return (datetime.now(timezone.utc) + timedelta(**distance)).strftime("%Y-%m-%dT%H:%M:%SZ")


def leave_a_trace(service) -> str:
    """Makes and deletes a channel; returns its guid."""
    channels = service.account.alert_channels
    data = {"slackUrl": "https://hooks.slack.example.com/services/audit"}
    guid = channels.create("Of the audit check", "SlackChannel", True, data)["data"]["intgGuid"]
    channels.delete(guid)
    return guid


@family.check("a change is in the log, with who did what")
def trace(service):
    leave_a_trace(service)
    answer = service.account.audit_logs.get()
    entries = [entry for entry in answer["data"] if entry["eventName"] == "Alert Channel Deleted"]
    assert entries, "the deletion is not in the log"
    expect.texts(entries[0], *MEMBERS)
    expect.equal(answer["paging"]["rows"], len(answer["data"]), "the number of rows in the page")


@family.check("the log is read for a span of days")
def by_date(service):
    leave_a_trace(service)
    recent = service.account.audit_logs.get(start_time=moment(days=-6), end_time=moment(minutes=1))["data"]
    assert recent, "nothing in the last six days"
    expect.equal(
        service.account.audit_logs.get(start_time=moment(days=-6), end_time=moment(days=-5)).get("data"), [], "old entries"
    )


@family.check("the log is searched by user, and returns what was asked for")
def search(service):
    leave_a_trace(service)
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
    expect.refused(400, "Invalid field", service.account.audit_logs.search, json={"filters": [{**query["filters"][0], "field": "x"}]})


@family.check("all pages are followed through the SDK")
def pages(service):
    leave_a_trace(service)
    session = service.account.audit_logs.session
    for page in session.get_pages("/api/v2/AuditLogs"):
        paging = page.json()["paging"]
        expect.equal(paging["rows"], len(page.json()["data"]), "the number of rows in the page")
    assert list(session.get_data_items("/api/v2/AuditLogs")), "no entries"


@family.check("the log of the organization tells of the organization's own changes")
def organization(service):
    channels = service.organization.alert_channels
    data = {"slackUrl": "https://hooks.slack.example.com/services/audit"}
    channels.delete(channels.create("Of the organization", "SlackChannel", True, data)["data"]["intgGuid"])
    names = [entry["eventName"] for entry in service.organization.audit_logs.get()["data"]]
    assert "Alert Channel Deleted" in names, f"the log holds {names!r}"
