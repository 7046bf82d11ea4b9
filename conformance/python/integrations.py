"""What alert channels, cloud accounts and registries have in common."""

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


def live(api, name: str, type: str, data: dict, is_org: int = 0):
    """Create, read in every way, change and delete, as the SDK's own tests do."""
    made = api.create(name=name, type=type, enabled=True, data=data)["data"]
    guid = made["intgGuid"]
    shown = {"name": name, "type": type, "enabled": 1, "isOrg": is_org, "data": blank(data)}
    expect.holds(made, shown, "the created record")
    expect.texts(made, "intgGuid", "createdOrUpdatedBy", "createdOrUpdatedTime")
    expect.equal(api.get_by_guid(guid)["data"], made, "the record read by its guid")
    expect.equal(expect.one(api.get(), "intgGuid", guid), made, "the record in the list")
    expect.equal(
        expect.one(api.get_by_type(type), "intgGuid", guid), made, "the record in the list of its type"
    )
    expect.finds(api.search, "intgGuid", guid)

    changed = api.update(guid, name=f"{name} (updated)", enabled=False)["data"]
    expect.holds(changed, {**shown, "name": f"{name} (updated)", "enabled": 0}, "the changed record")
    expect.equal(changed["data"], made["data"], "the data after a change of other members")
    # What was read can be sent back, blank secrets included.
    again = api.update(guid, name=name, enabled=1, data=changed["data"])["data"]
    expect.holds(again, shown, "the record after its data was sent back")

    expect.deleted(api.delete(guid))
    expect.refused(404, "Not found", api.get_by_guid, guid)
    expect.refused(404, "Not found", api.update, guid, enabled=1)
    expect.refused(404, "Not found", api.delete, guid)
    expect.absent(api.get(), "intgGuid", guid)


def blank(value):
    """The data as responses show it: secrets are there, and empty."""
    if isinstance(value, dict):
        return {name: blank(member) for name, member in value.items()}
    return "" if value == SECRET else value
