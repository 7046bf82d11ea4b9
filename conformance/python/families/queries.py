"""Queries: stored byte for byte, listed with built-in ones, validated and executed."""

from datetime import datetime, timedelta, timezone

import expect
import requests
from harness import Family

family = Family("Queries")

ID = "Conformance_Query"


def query_text(name: str) -> str:
    """Comments, indentation and the trailing newline are part of the query."""
    return f"""--- created by a check
{ID} {{
    source {{CloudTrailRawEvents e}}
    filter {{EVENT_SOURCE = 'iam.amazonaws.com' AND EVENT:userIdentity.name::String NOT LIKE '%{name}'}}
    return distinct {{EVENT_NAME, EVENT}}
}}
"""


@family.check("a query is created, read, changed and deleted")
def life_cycle(service):
    queries = service.account.queries
    created = queries.create(query_id=ID, query_text=query_text("one"))["data"]
    expect.contains(created, {"queryId": ID, "queryText": query_text("one")}, "the created query")
    expect.strings(created, "owner", "lastUpdateTime", "lastUpdateUser")
    expect.equal(
        [(column["name"], column["dataType"]) for column in created["resultSchema"]],
        [("EVENT_NAME", "String"), ("EVENT", "JSON")],
        "the columns that it returns",
    )
    expect.equal(queries.get_by_id(ID)["data"], created, "the query read by its id")
    expect.equal(expect.one(queries.get(), "queryId", ID), created, "the query in the list")
    expect.rejected(409, "already exists", queries.create, query_id=ID, query_text=query_text("one"))

    changed = queries.update(ID, query_text("two"))["data"]
    expect.contains(
        changed, {"queryId": ID, "queryText": query_text("two"), "owner": created["owner"]}, "the changed query"
    )
    expect.equal(queries.get_by_id(ID)["data"], changed, "the query after the change")

    expect.deleted(queries.delete(ID))
    expect.rejected(404, f"Query id {ID} not found", queries.get_by_id, ID)
    expect.rejected(404, f"Query id {ID} not found", queries.update, ID, query_text("three"))
    expect.rejected(404, f"Query id {ID} not found", queries.delete, ID)
    expect.absent(queries.get(), "queryId", ID)


@family.check("the evaluator that older clients send is accepted")
def evaluator(service):
    queries = service.account.queries
    created = queries.create(query_id=ID, query_text=query_text("one"), evaluator_id="Cloudtrail")["data"]
    expect.equal(created["queryId"], ID, "the id")
    expect.deleted(queries.delete(ID))


@family.check("the built-in queries exist and can not be changed")
def built_in(service):
    queries = service.account.queries
    shipped = [query for query in queries.get()["data"] if query["owner"] == "Lacework"]
    trail = [query for query in shipped if "LW_Global_AWS_CTA" in query["queryId"]]
    assert trail, "no query of CloudTrail ships"
    id = trail[0]["queryId"]
    expect.strings(trail[0], "queryText")
    expect.rejected(409, id, queries.delete, id)
    expect.rejected(409, id, queries.update, id, query_text("mine"))
    expect.equal(queries.get_by_id(id)["data"], trail[0], "the query that ships")


@family.check("a query that a policy uses can not be deleted")
def in_use(service):
    queries, policies = service.account.queries, service.account.policies
    queries.create(query_id=ID, query_text=query_text("one"))
    policy = policies.create(
        policy_type="Violation",
        query_id=ID,
        enabled=False,
        title="Uses the query",
        description="created by a check",
        remediation="none",
        severity="low",
        alert_enabled=False,
        alert_profile="LW_CloudTrail_Alerts",
    )["data"]
    expect.rejected(409, policy["policyId"], queries.delete, ID)
    expect.deleted(policies.delete(policy["policyId"]))
    expect.deleted(queries.delete(ID))


@family.check("a query is validated without being saved, and an error names its position")
def validated(service):
    queries = service.account.queries
    checked = queries.validate(query_text("one"))["data"]
    expect.contains(checked, {"queryId": ID, "queryText": query_text("one")}, "the validated query")
    expect.equal([column["name"] for column in checked["resultSchema"]], ["EVENT_NAME", "EVENT"], "its columns")
    with_evaluator = queries.validate(query_text("one"), evaluator_id="Cloudtrail")["data"]
    expect.equal(with_evaluator["queryText"], query_text("one"), "the query with an evaluator")
    expect.rejected(404, f"Query id {ID} not found", queries.get_by_id, ID)
    wrong = query_text("one").replace("EVENT_NAME,", "EVENT_NAMES,")
    place = "Unable to translate due to: Line 5, column 22, at EVENT_NAMES"
    expect.rejected(400, place, queries.validate, wrong)
    expect.rejected(400, place, queries.create, query_id=ID, query_text=wrong)


@family.check("a query is executed by queryText and by id, in a range of any length")
def executed(service):
    queries = service.account.queries
    now = datetime.now(timezone.utc)
    names = {"ran-now": now - timedelta(minutes=5), "ran-before": now - timedelta(days=20)}
    report(service, [event(name, timestamp) for name, timestamp in names.items()])
    lql = """{ source { CloudTrailRawEvents } filter { EVENT_NAME like 'ran-%' }
        return { INSERT_ID, EVENT_NAME, EVENT_TIME, EVENT:more as MORE } }"""
    found = queries.execute(query_text=lql)["data"]
    expect.equal([row["EVENT_NAME"] for row in found], ["ran-now"], "the rows of the last day")
    expect.equal(list(found[0]), ["INSERT_ID", "EVENT_NAME", "EVENT_TIME", "MORE"], "the columns of a row")
    expect.contains(found[0], {"MORE": {"big": 9007199254740993, "list": [1, None]}}, "the row")
    assert isinstance(found[0]["INSERT_ID"], int), f"INSERT_ID is {found[0]['INSERT_ID']!r}"

    span = {
        "StartTimeRange": (now - timedelta(days=30)).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "EndTimeRange": (now + timedelta(minutes=1)).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    queries.create(query_id=ID, query_text=lql)
    for response in (
        queries.execute(query_text=lql, arguments=span),
        queries.execute(evaluator_id="Cloudtrail", query_text=lql, arguments=span),
        queries.execute_by_id(ID, arguments=span),
    ):
        expect.equal(sorted(row["EVENT_NAME"] for row in response["data"]), sorted(names), "the rows of a month")
    expect.deleted(queries.delete(ID))
    expect.rejected(404, f"Unable to locate lql query {ID}", queries.execute_by_id, ID)
    # In this form the SDK omits the id of the query.
    expect.rejected(400, "query is required", queries.execute, query_id=ID)
    backwards = {"StartTimeRange": span["EndTimeRange"], "EndTimeRange": span["StartTimeRange"]}
    expect.rejected(400, "StartTimeRange", queries.execute, query_text=lql, arguments=backwards)


def event(name: str, timestamp: datetime) -> dict:
    time = timestamp.strftime("%Y-%m-%dT%H:%M:%S.000Z")
    more = {"big": 9007199254740993, "list": [1, None]}
    return {"eventID": name, "eventTime": time, "eventName": name, "eventSource": "a.example", "more": more}


def report(service, events: list):
    """Ingests as an agent, which the SDK can not."""
    tokens = service.account.agent_access_tokens
    created = tokens.create(alias="Agent of the queries", enabled=True)["data"]
    response = requests.post(
        f"{service.url}/ingest/v1/CloudTrailRawEvents",
        json=events,
        headers={"Authorization": created["accessToken"]},
        timeout=10,
    )
    expect.equal(response.status_code, 200, f"the status of the batch ({response.text})")
    tokens.update(created["accessToken"], token_enabled=False)
