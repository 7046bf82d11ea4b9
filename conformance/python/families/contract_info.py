"""The terms of the service."""

import expect
from harness import Family

family = Family("ContractInfo")


@family.check("contains the terms, of the account and of the organization")
def shape(service):
    for client in service.account, service.organization:
        (info,) = client.contract_info.get()["data"]
        expect.strings(info, "objName")
        expect.strings(info["props"], "contractStartUtc")
