"""Routing of reports to channels."""

import expect
from harness import Family
from rules import any_channel, check_life_cycle

family = Family("ReportRules")

FILTERS = {"name": "Report rule of the conformance run", "description": "weekly", "severity": [1, 2, 3]}
TYPES = {"awsComplianceEvents": True, "awsCisS3": True, "nist800-53Rev4": False}


@family.check("a rule is created, read, found, changed and deleted")
def life_cycle(service):
    rules = service.account.report_rules
    groups = expect.search_by(
        service.account.resource_groups.search, "resourceType", "eq", "AWS", "resourceGuid"
    )
    filters = {**FILTERS, "resourceGroups": groups[:1]}
    created, changed = check_life_cycle(service.account, rules, "Report", filters, report_notification_types=TYPES)
    expect.contains(created["reportNotificationTypes"], TYPES, "the report types")
    expect.equal(
        changed["reportNotificationTypes"], created["reportNotificationTypes"], "the report types afterwards"
    )


@family.check("the reports of a rule are changed")
def report_types(service):
    rules = service.account.report_rules
    created = rules.create("Report", dict(FILTERS), [any_channel(service.account)], TYPES)["data"]
    changed = rules.update(created["mcGuid"], filters={}, report_notification_types={"gcpCis": True})["data"]
    expect.equal(changed["reportNotificationTypes"]["gcpCis"], True, "the report that was added")
    expect.equal(rules.get_by_guid(created["mcGuid"])["data"], changed, "the rule after the change")
    expect.deleted(rules.delete(created["mcGuid"]))
