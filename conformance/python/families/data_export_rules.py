"""Which data is exported to which channels."""

import expect
from harness import Family
from rules import live

family = Family("DataExportRules")

FILTERS = {"name": "Export rule of the conformance run", "description": ""}


@family.check("a rule is created, read, found, changed and deleted")
def lives(service):
    made, changed = live(service.account, service.account.data_export_rules, "Dataexport", FILTERS)
    for rule in made, changed:
        expect.equal(rule["filters"]["profileVersions"], ["V1"], "the version when none is given")


@family.check("a rule names the version of the exported form")
def version(service):
    filters = {**FILTERS, "profileVersions": ["V1"]}
    live(service.account, service.account.data_export_rules, "Dataexport", filters)


@family.check("a rule of the organization is created, read, found, changed and deleted")
def organization(service):
    live(service.organization, service.organization.data_export_rules, "Dataexport", FILTERS)
