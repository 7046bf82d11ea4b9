"""Resource groups, in the form that the SDK sends."""

import expect
from harness import Family

family = Family("ResourceGroups")

GROUPS = {
    "AWS": {"accountIds": ["112233445566", "223344556677"]},
    "AZURE": {"tenant": "8a1b2c3d-0000-4000-8000-112233445566", "subscriptions": ["first"]},
    "GCP": {"organization": "112233445566", "projects": ["web", "ops"]},
    "CONTAINER": {"containerLabels": [{"team": "ops"}], "containerTags": ["latest"]},
    "MACHINE": {"machineTags": [{"team": "ops"}]},
}


def check_life_cycle(groups, type: str, props: dict):
    name = f"{type} group of the conformance run"
    sent = {"description": "created by a check", **props}
    created = groups.create(resource_name=name, resource_type=type, enabled=True, props=sent)["data"]
    guid = created["resourceGuid"]
    shown = {"resourceName": name, "resourceType": type, "enabled": 1, "isDefault": 0, "props": sent}
    expect.contains(created, shown, "the created group")
    expect.strings(created, "resourceGuid", "guid", "createdTime", "updatedTime")
    expect.equal(groups.get_by_guid(guid)["data"], created, "the group read by its guid")
    expect.equal(expect.one(groups.get(), "resourceGuid", guid), created, "the group in the list")
    expect.finds(groups.search, "resourceGuid", guid)
    assert guid in expect.search_by(groups.search, "resourceType", "eq", type, "resourceGuid")

    update = {"resource_name": f"{name} (updated)", "enabled": 0, "props": {**sent, "description": "changed"}}
    changed = groups.update(guid, **update)["data"]
    wanted = {"resourceName": update["resource_name"], "enabled": 0, "props": update["props"]}
    expect.contains(changed, {**shown, **wanted}, "the changed group")
    expect.equal(groups.get_by_guid(guid)["data"], changed, "the group after the change")

    expect.deleted(groups.delete(guid))
    expect.rejected(404, "Not found", groups.get_by_guid, guid)
    expect.rejected(404, "Not found", groups.delete, guid)
    expect.absent(groups.get(), "resourceGuid", guid)


@family.check_each(GROUPS, "is created, read, found, changed and deleted")
def life_cycle(service, type, props):
    check_life_cycle(service.account.resource_groups, type, props)


@family.check("LW_ACCOUNT is a group of the organization, and of it only")
def organization(service):
    props = {"lwAccounts": ["local"]}
    check_life_cycle(service.organization.resource_groups, "LW_ACCOUNT", props)
    expect.rejected(
        400, "LW_ACCOUNT", service.account.resource_groups.create, "No group", "LW_ACCOUNT", 1, props
    )


@family.check("account ids may be numbers, as the SDK's own tests send them")
def numbers(service):
    groups = service.account.resource_groups
    created = groups.create("Numbers", "AWS", True, {"description": "", "accountIds": [123456789012]})["data"]
    expect.equal([str(one) for one in created["props"]["accountIds"]], ["123456789012"], "the account ids")
    expect.deleted(groups.delete(created["resourceGuid"]))


@family.check("the built-in groups exist and can not be deleted")
def built_in(service):
    groups = service.account.resource_groups
    group = expect.one(groups.get(), "resourceName", "All AWS Resources")
    expect.equal(group["isDefault"], 1, "isDefault")
    expect.rejected(409, "", groups.delete, group["resourceGuid"])
    expect.one(groups.get(), "resourceName", "All AWS Resources")
