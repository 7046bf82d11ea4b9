"""What alert rules, report rules and data export rules have in common."""

import expect


def any_channel(client) -> str:
    """The SDK's own tests send to a channel that every account has."""
    return expect.search_by(client.alert_channels.search, "type", "eq", "EmailUser", "intgGuid")[0]


def live(client, api, type: str, filters: dict, **members):
    """Create, read in every way, change and delete, as the SDK's own tests do."""
    channels = [any_channel(client)]
    sent = {"type": type, "intgGuidList": channels, "filters": {**filters, "enabled": 1}}
    made = api.create(type=type, filters={**filters, "enabled": True}, intg_guid_list=channels, **members)[
        "data"
    ]
    guid = made["mcGuid"]
    expect.holds(made, sent, "the created rule")
    expect.texts(made, "mcGuid")
    expect.texts(made["filters"], "createdOrUpdatedBy", "createdOrUpdatedTime")
    assert made["filters"][
        "createdOrUpdatedTime"
    ].isdigit(), "createdOrUpdatedTime is no number of milliseconds"
    expect.equal(api.get_by_guid(guid)["data"], made, "the rule read by its guid")
    expect.equal(expect.one(api.get(), "mcGuid", guid), made, "the rule in the list")
    expect.finds(api.search, "mcGuid", guid)
    expect.equal(
        expect.search_by(api.search, "filters.name", "ilike", filters["name"].upper(), "mcGuid"),
        [guid],
        "what is found",
    )

    name = f"{filters['name']} (updated)"
    changed = api.update(guid, filters={"name": name, "enabled": False})["data"]
    # Only what was sent changes, inside filters too.
    expect.holds(changed, {**sent, "filters": {**filters, "name": name, "enabled": 0}}, "the changed rule")
    expect.equal(api.get_by_guid(guid)["data"], changed, "the rule after the change")
    expect.refused(400, "intgGuidList", api.update, guid, filters={}, intg_guid_list=["NOTHING"])

    expect.deleted(api.delete(guid))
    expect.refused(404, "Not found", api.get_by_guid, guid)
    expect.refused(404, "Not found", api.delete, guid)
    expect.absent(api.get(), "mcGuid", guid)
    return made, changed
