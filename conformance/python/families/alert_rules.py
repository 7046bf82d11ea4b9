"""Routing of alerts to channels."""

import expect
from harness import Family
from rules import any_channel, check_life_cycle

family = Family("AlertRules")

FILTERS = {
    "name": "Alert rule of the conformance run",
    "description": "critical ones first",
    "severity": [3, 1, 2],
    "subCategory": ["Compliance", "Cloud Activity"],
    "category": ["Policy"],
    "source": ["AWS"],
}


@family.check("a rule is created, read, found, changed and deleted")
def life_cycle(service):
    check_life_cycle(service.account, service.account.alert_rules, "Event", FILTERS)


@family.check("a rule needs neither categories nor resource groups")
def short(service):
    check_life_cycle(service.account, service.account.alert_rules, "Event", {"name": "A short one", "severity": [1]})


@family.check("a rule is limited to a resource group")
def resource_group(service):
    groups = service.account.resource_groups
    guids = expect.search_by(groups.search, "resourceType", "eq", "AWS", "resourceGuid")
    check_life_cycle(service.account, service.account.alert_rules, "Event", {**FILTERS, "resourceGroups": guids[:1]})


@family.check("the earlier name of the sub-categories is accepted")
def event_category(service):
    rules = service.account.alert_rules
    filters = {
        "name": "Earlier",
        "enabled": 1,
        "severity": [1],
        "resourceGroups": [],
        "eventCategory": ["Compliance"],
    }
    created = rules.create("Event", filters, [any_channel(service.account)])["data"]
    expect.contains(created["filters"], {**filters, "subCategory": ["Compliance"]})
    expect.deleted(rules.delete(created["mcGuid"]))


@family.check("a rule of the organization sends to its channels only")
def organization(service):
    check_life_cycle(service.organization, service.organization.alert_rules, "Event", FILTERS)
    foreign = [any_channel(service.account)]
    expect.rejected(
        400, "intgGuidList", service.organization.alert_rules.create, "Event", dict(FILTERS), foreign
    )
