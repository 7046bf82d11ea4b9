"""Export of data to channels."""

import expect
from harness import Family
from rules import check_life_cycle

family = Family("DataExportRules")

FILTERS = {"name": "Export rule of the conformance run", "description": ""}


@family.check("a rule is created, read, found, changed and deleted")
def life_cycle(service):
    created, changed = check_life_cycle(service.account, service.account.data_export_rules, "Dataexport", FILTERS)
    for rule in created, changed:
        expect.equal(rule["filters"]["profileVersions"], ["V1"], "the version when none is given")


@family.check("a rule names the version of the export format")
def version(service):
    filters = {**FILTERS, "profileVersions": ["V1"]}
    check_life_cycle(service.account, service.account.data_export_rules, "Dataexport", filters)


@family.check("a rule of the organization is created, read, found, changed and deleted")
def organization(service):
    check_life_cycle(service.organization, service.organization.data_export_rules, "Dataexport", FILTERS)
