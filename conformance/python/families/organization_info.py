"""What the organization is."""

import expect
from harness import Family

family = Family("OrganizationInfo")


@family.check("tells whether it is an organization and where, in both scopes")
def shape(service):
    for client in service.account, service.organization:
        (info,) = client.organization_info.get()["data"]
        assert isinstance(info["orgAccount"], bool), "orgAccount is no truth value"
        expect.texts(info, "orgAccountUrl")
