"""Datasources of queries."""

import expect
from harness import Family

family = Family("Datasources")


@family.check("all datasources are listed with a description, and each is shown by its name")
def listed(service):
    datasources = service.account.datasources
    names = [name for name, _ in datasources.list_data_sources()]
    assert len(names) > 2000, f"only {len(names)} datasources are listed"
    for name, description in datasources.list_data_sources():
        assert description, f"{name} has no description"
    for name in "CloudTrailRawEvents", "LW_HE_MACHINES", "LW_CFG_AWS_S3":
        shown = datasources.get_datasource(name)["data"]
        expect.equal(expect.one(datasources.get(), "name", name), shown, f"{name} in the list")


@family.check("columns and relationships are as clients decode them")
def shape(service):
    shown = service.account.datasources.get_datasource("LW_HE_FILES")["data"]
    for column in shown["resultSchema"]:
        expect.strings(column, "name", "dataType", "description")
    expect.equal(
        {column["dataType"] for column in shown["resultSchema"]},
        {"String", "Number", "Timestamp"},
        "the types of columns",
    )
    machines = [one for one in shown["sourceRelationships"] if one["to"] == "LW_HE_MACHINES"]
    expect.equal([one["toCardinality"] for one in machines], ["ONE"], "the cardinality of hosts per file")
    for relationship in shown["sourceRelationships"]:
        expect.strings(relationship, "name", "description", "from", "to")


@family.check("an unknown datasource is not found, with the nearest name")
def unknown(service):
    expect.rejected(404, "LW_HE_FILES", service.account.datasources.get_datasource, "LW_HE_FILE")
