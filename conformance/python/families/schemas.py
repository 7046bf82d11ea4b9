"""The schemas of the families, which come without a wrapper."""

import expect
from harness import Family

family = Family("schemas")


@family.check("every listed type has a schema in one of the three forms")
def types(service):
    names = service.account.schemas.get()
    assert isinstance(names, list) and "AlertChannels" in names, f"the list of types is {names!r}"
    for name in names:
        schema = service.account.schemas.get(type=name)
        if isinstance(schema, dict):
            for form in schema.get("oneOf", [schema]):
                assert "properties" in form, f"a form of {name} has no properties"
        else:
            assert isinstance(schema, list), f"{name} is {schema!r}"


@family.check("every type of the integrations has a schema by its name")
def subtypes(service):
    schemas = service.account.schemas
    for type, member, count in ("AlertChannels", "type", 16), ("CloudAccounts", "type", 19):
        forms = schemas.get(type=type)["oneOf"]
        names = [form["properties"][member]["enum"][0] for form in forms]
        expect.equal(len(set(names)), count, f"the number of types of {type}")
        for name, form in zip(names, forms):
            expect.equal(schemas.get_by_subtype(type=type, subtype=name), form, f"the schema of {name}")


@family.check("an unknown type is not found")
def unknown(service):
    expect.rejected(404, "Nothing", service.account.schemas.get, type="Nothing")
    expect.rejected(404, "Nothing", service.account.schemas.get, type="AlertChannels", subtype="Nothing")
