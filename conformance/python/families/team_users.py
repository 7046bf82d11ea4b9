"""Team users: people and services."""

import expect
from harness import Family

family = Family("TeamUsers")

USERS = {
    "StandardUser": {"name": "Jo Doe", "email": "user@example.com", "company": "Company"},
    "ServiceUser": {"name": "Pipeline", "description": "deploys"},
}


@family.check_each(USERS, "is created, read, changed and deleted")
def life_cycle(service, type, members):
    users = service.account.team_users
    created = users.create(**members, type=type)["data"]
    guid = created["userGuid"]
    expect.contains(created, {**members, "type": type, "userEnabled": 1}, "the created user")
    expect.strings(created, "userGuid")
    expect.equal(users.get_by_guid(guid)["data"], created, "the user read by the guid")
    expect.equal(expect.one(users.get(), "userGuid", guid), created, "the user in the list")
    expect.finds(users.search, "userGuid", guid)

    changed = users.update(guid, name="Another name", user_enabled=0)["data"]
    expect.contains(
        changed, {**members, "type": type, "name": "Another name", "userEnabled": 0}, "the changed user"
    )
    expect.equal(users.get_by_guid(guid)["data"], changed, "the user after the change")

    expect.deleted(users.delete(guid))
    expect.rejected(404, "Not found", users.get_by_guid, guid)
    expect.rejected(404, "Not found", users.update, guid, user_enabled=1)
    expect.rejected(404, "Not found", users.delete, guid)
    expect.absent(users.get(), "userGuid", guid)
