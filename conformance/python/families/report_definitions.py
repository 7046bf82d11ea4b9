"""Definitions of reports: the built-in frameworks, and those of the account."""

import expect
from harness import Family

family = Family("ReportDefinitions")

NAME = "Report of the conformance run"
ID = "reportDefinitionGuid"


def content(*policies: str) -> dict:
    return {"sections": [{"category": "1", "title": "Chosen policies", "policies": list(policies)}]}


@family.check("a definition is created, read, changed and deleted")
def life_cycle(service):
    definitions = service.account.report_definitions
    sent = {"reportName": NAME, "reportType": "COMPLIANCE", "subReportType": "AWS"}
    created = definitions.create(NAME, "COMPLIANCE", "AWS", content("lacework-global-31"))["data"]
    expect.contains(created, {**sent, "displayName": NAME, "version": 1}, "the created definition")
    expect.contains(created["reportDefinition"], content("lacework-global-31"), "its content")
    expect.strings(created, ID, "createdBy", "createdTime")
    guid = created[ID]
    expect.equal(definitions.get_by_id(guid)["data"], created, "the definition read by its id")
    expect.equal(expect.one(definitions.get(), ID, guid), created, "the definition in the list")
    expect.rejected(409, NAME, definitions.create, NAME, "COMPLIANCE", "AWS", content("lacework-global-31"))

    changed = definitions.update(guid, f"{NAME}, changed", content("lacework-global-34"))["data"]
    expect.contains(changed, {ID: guid, "reportName": f"{NAME}, changed", "version": 2})
    expect.contains(changed["reportDefinition"], content("lacework-global-34"), "its changed content")
    expect.equal(definitions.get_by_id(guid)["data"], changed, "the definition after the change")

    expect.deleted(definitions.delete(guid))
    expect.rejected(404, "Not found", definitions.get_by_id, guid)
    expect.rejected(404, "Not found", definitions.update, guid, NAME, content("lacework-global-31"))
    expect.rejected(404, "Not found", definitions.delete, guid)
    expect.absent(definitions.get(), ID, guid)


@family.check("policies that do not exist are rejected by name")
def unknown_policies(service):
    create = service.account.report_definitions.create
    expect.rejected(400, "nothing-1", create, NAME, "COMPLIANCE", "AWS", content("lacework-global-31", "nothing-1"))


@family.check("the built-in definitions exist and can not be changed")
def built_in(service):
    definitions = service.account.report_definitions
    title = "CIS Amazon Web Services Foundations Benchmark v1.4.0"
    definition = expect.one(definitions.get(), "reportName", title)
    expect.contains(definition, {"createdBy": "SYSTEM", "reportType": "COMPLIANCE", "subReportType": "AWS"})
    expect.equal(definitions.get_by_id(definition[ID])["data"], definition, "the definition read by its id")
    expect.rejected(409, "built in", definitions.delete, definition[ID])
    expect.rejected(409, "built in", definitions.update, definition[ID], NAME, content("lacework-global-31"))
