"""Checks shared by alert rules, report rules and data export rules."""

import expect


def any_channel(client) -> str:
    """The SDK's own tests send to a channel that every account has."""
    return expect.search_by(client.alert_channels.search, "type", "eq", "EmailUser", "intgGuid")[0]


def check_life_cycle(client, api, type: str, filters: dict, **members):
    """Create, read in every way, change and delete, as the SDK's own tests do."""
    channels = [any_channel(client)]
    sent = {"type": type, "intgGuidList": channels, "filters": {**filters, "enabled": 1}}
    created = api.create(type=type, filters={**filters, "enabled": True}, intg_guid_list=channels, **members)[
        "data"
    ]
    guid = created["mcGuid"]
    expect.contains(created, sent, "the created rule")
    expect.strings(created, "mcGuid")
    expect.strings(created["filters"], "createdOrUpdatedBy", "createdOrUpdatedTime")
    assert created["filters"][
        "createdOrUpdatedTime"
    ].isdigit(), "createdOrUpdatedTime is not a number of milliseconds"
    expect.equal(api.get_by_guid(guid)["data"], created, "the rule read by its guid")
    expect.equal(expect.one(api.get(), "mcGuid", guid), created, "the rule in the list")
    expect.finds(api.search, "mcGuid", guid)
    expect.equal(
        expect.search_by(api.search, "filters.name", "ilike", filters["name"].upper(), "mcGuid"),
        [guid],
        "the search result",
    )

    name = f"{filters['name']} (updated)"
    changed = api.update(guid, filters={"name": name, "enabled": False})["data"]
    # Only sent members change, also inside filters.
    expect.contains(changed, {**sent, "filters": {**filters, "name": name, "enabled": 0}}, "the changed rule")
    expect.equal(api.get_by_guid(guid)["data"], changed, "the rule after the change")
    expect.rejected(400, "intgGuidList", api.update, guid, filters={}, intg_guid_list=["NOTHING"])

    expect.deleted(api.delete(guid))
    expect.rejected(404, "Not found", api.get_by_guid, guid)
    expect.rejected(404, "Not found", api.delete, guid)
    expect.absent(api.get(), "mcGuid", guid)
    return created, changed
