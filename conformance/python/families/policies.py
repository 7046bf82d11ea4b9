"""Policies: custom and built-in."""

import re

import expect
from harness import Family

family = Family("Policies")

POLICY = {
    "policy_type": "Violation",
    "enabled": True,
    "title": "Policy of the conformance run",
    "description": "  created by a check\n",
    "remediation": "Delete it.",
    "severity": "high",
    "alert_enabled": True,
    "alert_profile": "LW_CloudTrail_Alerts",
    "tags": ["conformance", "team:ops"],
}
SHOWN = {
    "policyType": "Violation",
    "enabled": True,
    "title": POLICY["title"],
    "description": POLICY["description"],
    "remediation": POLICY["remediation"],
    "severity": "high",
    "alertEnabled": True,
    "alertProfile": "LW_CloudTrail_Alerts",
    "tags": POLICY["tags"],
    "limit": 1000,
}


def shipped_query(client) -> str:
    """The SDK's own tests use a built-in query of CloudTrail."""
    queries = [query["queryId"] for query in client.queries.get()["data"] if query["owner"] == "Lacework"]
    return next(query for query in queries if "LW_Global_AWS_CTA" in query)


@family.check("a policy is created, read, changed and deleted")
def life_cycle(service):
    policies, query = service.account.policies, shipped_query(service.account)
    created = policies.create(query_id=query, **POLICY)["data"]
    id = created["policyId"]
    assert re.fullmatch(r"local-default-\d+", id), f"the generated id is {id!r}"
    expect.contains(created, {**SHOWN, "queryId": query}, "the created policy")
    expect.strings(created, "owner", "lastUpdateTime", "lastUpdateUser")
    expect.equal(policies.get_by_id(id)["data"], created, "the policy read by its id")
    expect.equal(expect.one(policies.get(), "policyId", id), created, "the policy in the list")

    changed = policies.update(id, enabled=False, severity="Low", tags=POLICY["tags"])["data"]
    expect.contains(
        changed, {**SHOWN, "policyId": id, "enabled": False, "severity": "low"}, "the changed policy"
    )
    expect.equal(policies.get_by_id(id)["data"], changed, "the policy after the change")
    # By default the SDK sends an empty array of tags, which clears them.
    expect.equal(policies.update(id, title="Without tags")["data"]["tags"], [], "the tags")

    expect.deleted(policies.delete(id))
    expect.rejected(404, "ot found", policies.get_by_id, id)
    expect.rejected(404, "ot found", policies.update, id, enabled=True)
    expect.rejected(404, "ot found", policies.delete, id)
    expect.absent(policies.get(), "policyId", id)


@family.check_each({"$account-conform-1": None, "conform-2": None}, "becomes an id with the account's name")
def chosen_id(service, id, _):
    policies, query = service.account.policies, shipped_query(service.account)
    full = f"local-{id.removeprefix('$account-')}"
    created = policies.create(query_id=query, policy_id=id, **POLICY)["data"]
    expect.equal(created["policyId"], full, "the id")
    expect.rejected(409, full, policies.create, query_id=query, policy_id=id, **POLICY)
    # The short form is accepted in paths too.
    short = f"$account-{full.removeprefix('local-')}"
    expect.equal(policies.get_by_id(short)["data"], created, "the policy read by the short form")
    expect.deleted(policies.delete(short))
    expect.rejected(404, "ot found", policies.get_by_id, full)


@family.check("several policies are changed in bulk")
def bulk_update(service):
    policies, query = service.account.policies, shipped_query(service.account)
    ids = [policies.create(query_id=query, **POLICY)["data"]["policyId"] for _ in range(2)]
    json = [{"policyId": ids[0], "enabled": False}, {"policyId": ids[1], "severity": "critical"}]
    response = policies.bulk_update(json)
    for id, change in zip(ids, ({"enabled": False}, {"severity": "critical"})):
        record = expect.one(response, "policyId", id)
        expect.contains(record, {**SHOWN, "queryId": query, **change}, "the changed policy")
        expect.strings(record, "lastUpdateTime")
        expect.contains(policies.get_by_id(id)["data"], {**SHOWN, **change}, "the policy after the change")
    for id in ids:
        expect.deleted(policies.delete(id))


@family.check("a bulk change with an unknown policy changes none")
def bulk_update_of_unknown(service):
    policies, query = service.account.policies, shipped_query(service.account)
    created = policies.create(query_id=query, **POLICY)["data"]
    json = [
        {"policyId": created["policyId"], "enabled": False},
        {"policyId": "local-nothing-1", "enabled": False},
    ]
    expect.rejected(404, "local-nothing-1", policies.bulk_update, json)
    expect.equal(policies.get_by_id(created["policyId"])["data"], created, "the policy")
    expect.deleted(policies.delete(created["policyId"]))


@family.check("enabled and severity of built-in policies can be changed; they can not be deleted")
def built_in(service):
    policies = service.account.policies
    before = expect.one(policies.get(), "policyId", "lacework-global-2")
    expect.contains(before, {"owner": "Lacework", "enabled": True, "alertEnabled": True})
    for field in before["exceptionConfiguration"]["constraintFields"]:
        expect.strings(field, "fieldKey", "dataType")
    switched = expect.one(
        policies.bulk_update([{"policyId": "lacework-global-2", "enabled": False, "severity": "low"}]),
        "policyId",
        "lacework-global-2",
    )
    expect.contains(
        switched, {"enabled": False, "severity": "low", "title": before["title"]}, "the switched policy"
    )
    back = policies.update(
        "lacework-global-2", enabled=True, severity=before["severity"], tags=before["tags"]
    )["data"]
    expect.contains(
        back,
        {"enabled": True, "severity": before["severity"], "tags": before["tags"]},
        "the policy afterwards",
    )
    expect.rejected(409, "lacework-global-2", policies.delete, "lacework-global-2")
    expect.one(policies.get(), "policyId", "lacework-global-2")


@family.check("a policy needs an existing query")
def unknown_query(service):
    expect.rejected(400, "queryId", service.account.policies.create, query_id="Nothing", **POLICY)
