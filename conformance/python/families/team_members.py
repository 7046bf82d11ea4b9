"""Team members, of the account and with a role in the organization."""

import expect
from harness import Family

family = Family("TeamMembers")

PROPS = {"firstName": "Jo", "lastName": "Doe", "company": "Company", "accountAdmin": True}


@family.check("a member is created, read, found, changed and deleted")
def life_cycle(service):
    members, name = service.account.team_members, "member@example.com"
    created = members.create(user_name=name, user_enabled=True, props=PROPS)["data"]
    guid = created["userGuid"]
    expect.contains(created, {"userName": name, "userEnabled": 1, "props": PROPS}, "the created member")
    expect.strings(created, "userGuid", "custGuid")
    expect.equal(members.get_by_guid(guid)["data"], created, "the member read by the guid")
    expect.equal(expect.one(members.get(), "userGuid", guid), created, "the member in the list")
    expect.finds(members.search, "userGuid", guid)
    expect.equal(expect.search_by(members.search, "userName", "eq", name, "userGuid"), [guid], "who is found")

    changed = members.update(guid, user_enabled=False)["data"]
    expect.contains(
        changed, {"userGuid": guid, "userName": name, "userEnabled": 0, "props": PROPS}, "the changed member"
    )
    changed = members.update(guid, props={**PROPS, "lastName": "Roe", "accountAdmin": False})["data"]
    expect.contains(changed, {"userEnabled": 0, "props": {**PROPS, "lastName": "Roe", "accountAdmin": False}})
    expect.equal(members.get_by_guid(guid)["data"], changed, "the member after the changes")

    expect.deleted(members.delete(guid))
    expect.rejected(404, "Not found", members.get_by_guid, guid)
    expect.rejected(404, "Not found", members.update, guid, user_enabled=True)
    expect.rejected(404, "Not found", members.delete, guid)
    expect.absent(members.get(), "userGuid", guid)


@family.check("the user of the key is one of the organization's members")
def caller(service):
    username = service.account.user_profile.get()["data"][0]["username"]
    member = expect.one(service.organization.team_members.get(), "userName", username)
    expect.contains(member, {"userEnabled": 1, "props": {"orgAdmin": True, "orgUser": False}})


@family.check("a member of the organization is shown with all accessible accounts")
def organization(service):
    members, name = service.organization.team_members, "org-member@example.com"
    created = members.create(
        user_name=name,
        user_enabled=True,
        props=PROPS,
        org_admin=False,
        org_user=False,
        user_role_accounts=["LOCAL"],
    )["data"]
    expect.contains(
        created, {"userName": name, "orgAccount": True, "orgAdmin": False, "orgUser": False}, "the new member"
    )
    expect.strings(created, "url")
    (account,) = created["accounts"]
    expect.contains(account, {"accountName": "LOCAL", "admin": False, "userEnabled": 1})
    guid = account["userGuid"]
    changed = members.update(guid, org_user=True)["data"]
    expect.contains(changed, {"userName": name, "orgAdmin": False, "orgUser": True}, "the changed member")
    expect.deleted(members.delete(guid))
    expect.rejected(404, "Not found", members.get_by_guid, guid)


@family.check("two members can not have one name")
def unique_name(service):
    members, name = service.account.team_members, "once@example.com"
    guid = members.create(user_name=name, user_enabled=True, props=PROPS)["data"]["userGuid"]
    expect.rejected(409, name, members.create, user_name=name, user_enabled=True, props=PROPS)
    expect.deleted(members.delete(guid))
