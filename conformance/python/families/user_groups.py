"""User groups, to which the SDK adds users and from which it removes them."""

import expect
from harness import Family

family = Family("UserGroups")

GROUP = "LACEWORK_USER_GROUP_POWER_USER"


@family.check("a user is added to a group and removed from it")
def lives(service):
    users, groups = service.account.team_users, service.account.user_groups
    guid = users.create("Group member", "group-member@example.com", "Company")["data"]["userGuid"]
    for change, admin in (groups.add_users, True), (groups.remove_users, False):
        # A second time changes nothing and is no mistake.
        for _ in range(2):
            assert "data" in change(GROUP, [guid]), "the answer has no data"
            member = service.account.team_members.get_by_guid(guid)["data"]
            expect.holds(member, {"props": {"accountAdmin": admin}}, "the member")
    expect.deleted(users.delete(guid))
    expect.refused(400, "userGuids", groups.add_users, GROUP, [guid])


@family.check("unknown users and groups are refused")
def unknown(service):
    groups = service.account.user_groups
    for change in groups.add_users, groups.remove_users:
        expect.refused(400, "userGuids", change, GROUP, ["NOBODY"])
        expect.refused(404, "Not found", change, "NOTHING", [])
