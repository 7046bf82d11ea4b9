"""Exceptions from a policy."""

import expect
from harness import Family

family = Family("PolicyExceptions")

POLICY = "lacework-global-100"


def tags(value) -> list:
    return [{"fieldKey": "resourceTags", "fieldValues": [{"key": "team", "value": value}]}]


@family.check("an exception is created, read, changed and deleted")
def life_cycle(service):
    exceptions = service.account.policy_exceptions
    created = exceptions.create(POLICY, description="created by a check", constraints=tags("ops"))["data"]
    id = created["exceptionId"]
    expect.contains(
        created, {"description": "created by a check", "constraints": tags("ops")}, "the created exception"
    )
    expect.strings(created, "exceptionId", "lastUpdateTime", "lastUpdateUser")
    expect.equal(exceptions.get_by_id(id, POLICY)["data"], created, "the exception read by its id")
    expect.equal(
        expect.one(exceptions.get(policy_id=POLICY), "exceptionId", id), created, "the exception in the list"
    )

    changed = exceptions.update(id, POLICY, description="changed")["data"]
    expect.contains(changed, {"exceptionId": id, "description": "changed", "constraints": tags("ops")})
    changed = exceptions.update(id, POLICY, constraints=tags("web"))["data"]
    expect.contains(changed, {"exceptionId": id, "description": "changed", "constraints": tags("web")})
    expect.equal(exceptions.get_by_id(id, POLICY)["data"], changed, "the exception after the changes")
    # It belongs to one policy only.
    expect.absent(exceptions.get(policy_id="lacework-global-1"), "exceptionId", id)
    expect.rejected(404, "ot found", exceptions.get_by_id, id, "lacework-global-1")

    expect.deleted(exceptions.delete(id, POLICY))
    expect.rejected(404, "ot found", exceptions.get_by_id, id, POLICY)
    expect.rejected(404, "ot found", exceptions.update, id, POLICY, description="gone")
    expect.rejected(404, "ot found", exceptions.delete, id, POLICY)
    expect.absent(exceptions.get(policy_id=POLICY), "exceptionId", id)


VALUES = {
    "accountIds": ["112233445566", "*"],
    "regionNames": ["us-west-2"],
    "resourceNames": ["web-*"],
    "resourceTags": [{"key": "team", "value": ["ops", "web"]}, {"key": "stage", "value": "test"}],
}


@family.check("values are returned in the form in which they were sent")
def values(service):
    exceptions = service.account.policy_exceptions
    policy = service.account.policies.get_by_id(POLICY)["data"]
    allowed = [field["fieldKey"] for field in policy["exceptionConfiguration"]["constraintFields"]]
    constraints = [{"fieldKey": key, "fieldValues": VALUES[key]} for key in VALUES if key in allowed]
    assert constraints, f"{POLICY} allows {allowed!r}"
    created = exceptions.create(POLICY, description="all keys", constraints=constraints)["data"]
    expect.equal(created["constraints"], constraints, "the constraints")
    expect.deleted(exceptions.delete(created["exceptionId"], POLICY))


@family.check("an unknown key is rejected, and the message names the known ones")
def unknown_key(service):
    create = service.account.policy_exceptions.create
    constraints = [{"fieldKey": "nothing", "fieldValues": ["*"]}]
    for words in "fieldKey: nothing", POLICY, "resourceTags":
        expect.rejected(400, words, create, POLICY, description="wrong", constraints=constraints)


@family.check("an unknown policy has no exceptions")
def unknown_policy(service):
    create = service.account.policy_exceptions.create
    expect.rejected(404, "ot found", create, "lacework-global-0", description="wrong", constraints=tags("ops"))
