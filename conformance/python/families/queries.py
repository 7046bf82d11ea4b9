"""Queries: kept byte for byte, listed beside those that ship, checked and run."""

from datetime import datetime, timedelta, timezone

import expect
import requests
from harness import Family

family = Family("Queries")

ID = "Conformance_Query"


def text(name: str) -> str:
    """Comments, indents and the last line end belong to the text."""
    return f"""--- made by a check
{ID} {{
    source {{CloudTrailRawEvents e}}
    filter {{EVENT_SOURCE = 'iam.amazonaws.com' AND EVENT:userIdentity.name::String NOT LIKE '%{name}'}}
    return distinct {{EVENT_NAME, EVENT}}
}}
"""


@family.check("a query is created, read, changed and deleted")
def lives(service):
    queries = service.account.queries
    made = queries.create(query_id=ID, query_text=text("one"))["data"]
    expect.holds(made, {"queryId": ID, "queryText": text("one")}, "the created query")
    expect.texts(made, "owner", "lastUpdateTime", "lastUpdateUser")
    expect.equal(
        [(column["name"], column["dataType"]) for column in made["resultSchema"]],
        [("EVENT_NAME", "String"), ("EVENT", "JSON")],
        "the columns that it returns",
    )
    expect.equal(queries.get_by_id(ID)["data"], made, "the query read by its id")
    expect.equal(expect.one(queries.get(), "queryId", ID), made, "the query in the list")
    expect.refused(409, "already exists", queries.create, query_id=ID, query_text=text("one"))

    changed = queries.update(ID, text("two"))["data"]
    expect.holds(
        changed, {"queryId": ID, "queryText": text("two"), "owner": made["owner"]}, "the changed query"
    )
    expect.equal(queries.get_by_id(ID)["data"], changed, "the query after the change")

    expect.deleted(queries.delete(ID))
    expect.refused(404, f"Query id {ID} not found", queries.get_by_id, ID)
    expect.refused(404, f"Query id {ID} not found", queries.update, ID, text("three"))
    expect.refused(404, f"Query id {ID} not found", queries.delete, ID)
    expect.absent(queries.get(), "queryId", ID)


@family.check("the evaluator that older programs send is taken")
def evaluator(service):
    queries = service.account.queries
    made = queries.create(query_id=ID, query_text=text("one"), evaluator_id="Cloudtrail")["data"]
    expect.equal(made["queryId"], ID, "the id")
    expect.deleted(queries.delete(ID))


@family.check("the queries that ship are there and stay as they are")
def built_in(service):
    queries = service.account.queries
    shipped = [query for query in queries.get()["data"] if query["owner"] == "Lacework"]
    trail = [query for query in shipped if "LW_Global_AWS_CTA" in query["queryId"]]
    assert trail, "no query of CloudTrail ships"
    id = trail[0]["queryId"]
    expect.texts(trail[0], "queryText")
    expect.refused(409, id, queries.delete, id)
    expect.refused(409, id, queries.update, id, text("mine"))
    expect.equal(queries.get_by_id(id)["data"], trail[0], "the query that ships")


@family.check("a query that a policy uses can not be deleted")
def in_use(service):
    queries, policies = service.account.queries, service.account.policies
    queries.create(query_id=ID, query_text=text("one"))
    policy = policies.create(
        policy_type="Violation",
        query_id=ID,
        enabled=False,
        title="Uses the query",
        description="made by a check",
        remediation="none",
        severity="low",
        alert_enabled=False,
        alert_profile="LW_CloudTrail_Alerts",
    )["data"]
    expect.refused(409, policy["policyId"], queries.delete, ID)
    expect.deleted(policies.delete(policy["policyId"]))
    expect.deleted(queries.delete(ID))


@family.check("a text is checked without being saved, and refused with the place of what is wrong")
def validated(service):
    queries = service.account.queries
    checked = queries.validate(text("one"))["data"]
    expect.holds(checked, {"queryId": ID, "queryText": text("one")}, "what was checked")
    expect.equal([column["name"] for column in checked["resultSchema"]], ["EVENT_NAME", "EVENT"], "its columns")
    expect.equal(queries.validate(text("one"), evaluator_id="Cloudtrail")["data"]["queryText"], text("one"), "it")
    expect.refused(404, f"Query id {ID} not found", queries.get_by_id, ID)
    wrong = text("one").replace("EVENT_NAME,", "EVENT_NAMES,")
    place = "Unable to translate due to: Line 5, column 22, at EVENT_NAMES"
    expect.refused(400, place, queries.validate, wrong)
    expect.refused(400, place, queries.create, query_id=ID, query_text=wrong)


@family.check("a query is run by its text and by its id, in a range of any length")
def executed(service):
    queries = service.account.queries
    now = datetime.now(timezone.utc)
    names = {"ran-now": now - timedelta(minutes=5), "ran-before": now - timedelta(days=20)}
    report(service, [event(name, moment) for name, moment in names.items()])
    asked = """{ source { CloudTrailRawEvents } filter { EVENT_NAME like 'ran-%' }
        return { INSERT_ID, EVENT_NAME, EVENT_TIME, EVENT:more as MORE } }"""
    found = queries.execute(query_text=asked)["data"]
    expect.equal([row["EVENT_NAME"] for row in found], ["ran-now"], "the rows of the last day")
    expect.equal(list(found[0]), ["INSERT_ID", "EVENT_NAME", "EVENT_TIME", "MORE"], "the columns of a row")
    expect.holds(found[0], {"MORE": {"big": 9007199254740993, "list": [1, None]}}, "the row")
    assert isinstance(found[0]["INSERT_ID"], int), f"INSERT_ID is {found[0]['INSERT_ID']!r}"

    span = {
        "StartTimeRange": (now - timedelta(days=30)).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "EndTimeRange": (now + timedelta(minutes=1)).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    queries.create(query_id=ID, query_text=asked)
    for answer in (
        queries.execute(query_text=asked, arguments=span),
        queries.execute(evaluator_id="Cloudtrail", query_text=asked, arguments=span),
        queries.execute_by_id(ID, arguments=span),
    ):
        expect.equal(sorted(row["EVENT_NAME"] for row in answer["data"]), sorted(names), "the rows of a month")
    expect.deleted(queries.delete(ID))
    expect.refused(404, f"Unable to locate lql query {ID}", queries.execute_by_id, ID)
    # Asked so, the SDK forgets to say which query it means.
    expect.refused(400, "query is required", queries.execute, query_id=ID)
    backwards = {"StartTimeRange": span["EndTimeRange"], "EndTimeRange": span["StartTimeRange"]}
    expect.refused(400, "StartTimeRange", queries.execute, query_text=asked, arguments=backwards)


def event(name: str, moment: datetime) -> dict:
    time = moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")
    more = {"big": 9007199254740993, "list": [1, None]}
    return {"eventID": name, "eventTime": time, "eventName": name, "eventSource": "a.example", "more": more}


def report(service, events: list):
    """What an agent would do, which the SDK can not."""
    tokens = service.account.agent_access_tokens
    made = tokens.create(alias="Agent of the queries", enabled=True)["data"]
    answer = requests.post(
        f"{service.url}/ingest/v1/CloudTrailRawEvents",
        json=events,
        headers={"Authorization": made["accessToken"]},
        timeout=10,
    )
    expect.equal(answer.status_code, 200, f"the status of what was reported ({answer.text})")
    tokens.update(made["accessToken"], token_enabled=False)
