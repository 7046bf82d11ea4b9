"""User groups, and adding and removing their users."""

import expect
from harness import Family

family = Family("UserGroups")

GROUP = "LACEWORK_USER_GROUP_POWER_USER"


@family.check("a user is added to a group and removed from it")
def life_cycle(service):
    users, groups = service.account.team_users, service.account.user_groups
    guid = users.create("Group member", "group-member@example.com", "Company")["data"]["userGuid"]
    for change, admin in (groups.add_users, True), (groups.remove_users, False):
        # Repeating it changes nothing and is not an error.
        for _ in range(2):
            assert "data" in change(GROUP, [guid]), "the response has no data"
            member = service.account.team_members.get_by_guid(guid)["data"]
            expect.contains(member, {"props": {"accountAdmin": admin}}, "the member")
    expect.deleted(users.delete(guid))
    expect.rejected(400, "userGuids", groups.add_users, GROUP, [guid])


@family.check("unknown users and groups are rejected")
def unknown(service):
    groups = service.account.user_groups
    for change in groups.add_users, groups.remove_users:
        expect.rejected(400, "userGuids", change, GROUP, ["NOBODY"])
        expect.rejected(404, "Not found", change, "NOTHING", [])
