"""The organization."""

import expect
from harness import Family

family = Family("OrganizationInfo")


@family.check("contains the organization and its URL, in both scopes")
def shape(service):
    for client in service.account, service.organization:
        (info,) = client.organization_info.get()["data"]
        assert isinstance(info["orgAccount"], bool), "orgAccount is not a boolean"
        expect.strings(info, "orgAccountUrl")
