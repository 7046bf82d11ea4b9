"""Checks shared by alert channels, cloud accounts and registries."""

import expect

SECRET = "a secret that never comes back"

AWS_ROLE = {
    "roleArn": "arn:aws:iam::112233445566:role/reader",
    "externalId": "lweid:aws:v2:local:112233445566:x",
}
AWS_KEY = {"accountId": "112233445566", "accessKeyId": "AKIAEXAMPLE", "secretAccessKey": SECRET}
AZURE = {"clientId": "0f8fad5b-d9cb-469f-a165-70867728950e", "clientSecret": SECRET}
GOOGLE = {
    "clientId": "112233445566778899",
    "clientEmail": "reader@project.iam.gserviceaccount.com",
    "privateKeyId": SECRET,
    "privateKey": SECRET,
}


def check_life_cycle(api, name: str, type: str, data: dict, is_org: int = 0):
    """Create, read in every way, change and delete, as the SDK's own tests do."""
    created = api.create(name=name, type=type, enabled=True, data=data)["data"]
    guid = created["intgGuid"]
    shown = {"name": name, "type": type, "enabled": 1, "isOrg": is_org, "data": blank(data)}
    expect.contains(created, shown, "the created record")
    expect.strings(created, "intgGuid", "createdOrUpdatedBy", "createdOrUpdatedTime")
    expect.equal(api.get_by_guid(guid)["data"], created, "the record read by its guid")
    expect.equal(expect.one(api.get(), "intgGuid", guid), created, "the record in the list")
    expect.equal(
        expect.one(api.get_by_type(type), "intgGuid", guid), created, "the record in the list of its type"
    )
    expect.finds(api.search, "intgGuid", guid)

    changed = api.update(guid, name=f"{name} (updated)", enabled=False)["data"]
    expect.contains(changed, {**shown, "name": f"{name} (updated)", "enabled": 0}, "the changed record")
    expect.equal(changed["data"], created["data"], "the data after a change of other members")
    # A record can be sent back as it was read, with blank secrets.
    again = api.update(guid, name=name, enabled=1, data=changed["data"])["data"]
    expect.contains(again, shown, "the record after its data was sent back")

    expect.deleted(api.delete(guid))
    expect.rejected(404, "Not found", api.get_by_guid, guid)
    expect.rejected(404, "Not found", api.update, guid, enabled=1)
    expect.rejected(404, "Not found", api.delete, guid)
    expect.absent(api.get(), "intgGuid", guid)


def blank(value):
    """The data as in responses: secrets are present, and empty."""
    if isinstance(value, dict):
        return {name: blank(member) for name, member in value.items()}
    return "" if value == SECRET else value
