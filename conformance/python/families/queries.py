"""Queries: kept byte for byte, listed beside those that ship."""

import expect
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
