"""Alerts: from a matching event to an alert with a comment that is closed."""

import time
from datetime import datetime, timezone
from functools import cache

import expect
import requests
from harness import Family

family = Family("Alerts")

SCOPES = ["Investigation", "Events", "RelatedAlerts", "Integrations", "Timeline", "ObservationTimeline"]


def event(name: str) -> dict:
    now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        **{"eventID": f"of the conformance run {time.time_ns()}", "eventTime": now, "eventName": name},
        **{"eventSource": "iam.amazonaws.com", "eventType": "AwsApiCall", "awsRegion": "us-east-1"},
        **{"recipientAccountId": "123456789012", "sourceIPAddress": "198.51.100.7"},
        "userIdentity": {"type": "IAMUser", "userName": "ana", "accountId": "123456789012"},
        "requestParameters": {},
    }


@cache
def raised(service) -> dict:
    """Reports an event and waits for its alert."""
    token = service.account.agent_access_tokens.create("Of the alerts", True)["data"]["accessToken"]
    response = requests.post(
        f"{service.url}/ingest/v1/CloudTrailRawEvents",
        headers={"Authorization": f"Bearer {token}"},
        json=[event("DeleteAccessKey")],
        timeout=10,
    )
    expect.equal(response.status_code, 200, f"the status of the batch ({response.text})")
    for _ in range(100):
        found = service.account.alerts.get()["data"]
        if found:
            return found[0]
        time.sleep(0.1)
    raise AssertionError("no alert was raised within ten seconds")


@family.check("an event that a stable policy matches raises an alert with all members that clients decode")
def listed(service):
    alert = raised(service)
    assert isinstance(alert["alertId"], int), alert
    expect.strings(alert, "alertName", "alertType", "severity", "startTime", "endTime", "policyId", "reachability")
    expect.strings(alert["alertInfo"], "subject", "description")
    expect.contains(alert, {"status": "Open", "derivedFields": {"category": "Policy", "source": "AWS"}})
    paging = service.account.alerts.get()["paging"]
    expect.equal(paging, {"rows": 1, "totalRows": 1, "urls": {"nextPage": None}}, "paging")


@family.check("a search finds it by status and type, and empty pages have paging too")
def searched(service):
    alert, alerts = raised(service), service.account.alerts

    def found(**fields):
        filters = [{"field": name, "expression": "eq", "value": value} for name, value in fields.items()]
        pages = list(alerts.search(json={"filters": filters}))
        expect.equal(len(pages), 1, "the number of pages")
        expect.equal(pages[0]["paging"]["rows"], len(pages[0]["data"]), "the rows of the page")
        return [one["alertId"] for one in pages[0]["data"]]

    expect.equal(found(status="Open", alertType=alert["alertType"]), [alert["alertId"]], "the search result")
    expect.equal(found(alertId=str(alert["alertId"])), [alert["alertId"]], "the search result by id")
    expect.equal(found(alertType="Nothing"), [], "the search result for another type")
    expect.equal(alerts.get("2020-01-01T00:00:00Z", "2020-01-02T00:00:00Z")["data"], [], "the past")


@family.check("its details contain its entities, and every other scope is an array")
def scopes(service):
    alert, alerts = raised(service), service.account.alerts
    details = alerts.get_details(alert["alertId"], "Details")["data"]
    expect.contains(details, {"alertId": alert["alertId"], "alertName": alert["alertName"]})
    for kind, entries in details["entityMap"].items():
        for entry in entries:
            assert isinstance(entry["KEY"], dict) and isinstance(entry["PROPS"], dict), (kind, entry)
    for scope in SCOPES:
        assert isinstance(alerts.get_details(alert["alertId"], scope)["data"], list), scope
    questions = alerts.get_details(alert["alertId"], "Investigation")["data"]
    for one in questions:
        expect.strings(one, "question", "answer")
    expect.rejected(404, "Not found", alerts.get_details, 123456789101112, "Details")
    expect.rejected(400, "scope", alerts.get_details, alert["alertId"], "Nothing")


@family.check("a comment is an entry of its timeline")
def commented(service):
    alert, alerts = raised(service), service.account.alerts
    entry = alerts.comment(alert["alertId"], "We look at it.")["data"]
    expect.contains(
        entry,
        {
            **{"alertId": alert["alertId"], "entryType": "Comment", "entryAuthorType": "UserUpdate"},
            "message": {"value": "We look at it."},
        },
    )
    timeline = alerts.get_details(alert["alertId"], "Timeline")
    expect.contains(expect.one(timeline, "id", entry["id"]), {"message": entry["message"], "user": entry["user"]})
    expect.rejected(400, "comment", alerts.comment, alert["alertId"], "")


@family.check("it is closed with a reason, once")
def closed(service):
    alert, alerts = raised(service), service.account.alerts
    expect.rejected(400, "comment", alerts.close, alert["alertId"], 0)
    expect.rejected(400, "reason", alerts.close, alert["alertId"], 9)
    # The SDK returns an empty array if there is no body.
    expect.equal(alerts.close(alert["alertId"], 5, "It was us."), {"data": []}, "the response")
    expect.rejected(409, "The action on this alert is not allowed", alerts.close, alert["alertId"], 5)
    expect.contains(alerts.get_details(alert["alertId"], "Details")["data"], {"status": "Closed"})
