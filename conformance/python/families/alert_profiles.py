"""Alert profiles that extend a built-in one."""

import expect
from harness import Family

family = Family("AlertProfiles")

BASE = "LW_HE_USERS_DEFAULT_PROFILE"
ID = "Conformance_AlertProfileID"


def template(name: str) -> dict:
    """The values refer to fields of the base profile."""
    return {
        "name": name,
        "eventName": f"{name} happened",
        "description": "{{_POLICY_TITLE}} was violated",
        "subject": "{{_POLICY_DESCRIPTION}}",
    }


@family.check("a profile is created, read, changed and deleted")
def life_cycle(service):
    profiles = service.account.alert_profiles
    alerts = [template("HE_User_NewViolation_One"), template("HE_User_NewViolation_Two")]
    created = profiles.create(alert_profile_id=ID, alerts=alerts, extends=BASE)["data"]
    expect.contains(created, {"alertProfileId": ID, "extends": BASE, "alerts": alerts}, "the created profile")
    assert created["fields"], "the profile has no fields of its base"
    expect.strings(created["fields"][0], "name")
    expect.equal(profiles.get_by_id(ID)["data"], created, "the profile read by its id")
    expect.equal(expect.one(profiles.get(), "alertProfileId", ID), created, "the profile in the list")

    # The array of templates is replaced.
    changed = profiles.update(ID, alerts=[template("HE_User_NewViolation_Three")])["data"]
    expect.contains(
        changed, {"alertProfileId": ID, "extends": BASE, "alerts": [template("HE_User_NewViolation_Three")]}
    )
    expect.equal(profiles.get_by_id(ID)["data"], changed, "the profile after the change")
    expect.rejected(409, ID, profiles.create, alert_profile_id=ID, alerts=alerts, extends=BASE)

    expect.deleted(profiles.delete(ID))
    expect.rejected(404, "Not found", profiles.get_by_id, ID)
    expect.rejected(404, "Not found", profiles.update, ID, alerts=alerts)
    expect.rejected(404, "Not found", profiles.delete, ID)
    expect.absent(profiles.get(), "alertProfileId", ID)


@family.check("the built-in profiles exist and can not be changed")
def built_in(service):
    profiles = service.account.alert_profiles
    before = expect.one(profiles.get(), "alertProfileId", "LW_CloudTrail_Alerts")
    assert "CloudTrailDefaultAlert_AwsResource" in [alert["name"] for alert in before["alerts"]], before
    expect.one(profiles.get(), "alertProfileId", BASE)
    expect.rejected(409, "LW_", profiles.delete, BASE)
    expect.rejected(409, "LW_", profiles.update, "LW_CloudTrail_Alerts", alerts=[template("Mine")])
    expect.rejected(
        400, "LW_", profiles.create, alert_profile_id="LW_Mine", alerts=[template("Mine")], extends=BASE
    )
    expect.equal(profiles.get_by_id("LW_CloudTrail_Alerts")["data"], before, "the built-in profile")


@family.check("a profile must extend an existing one")
def unknown_base(service):
    create = {"alert_profile_id": "Orphan", "alerts": [template("Mine")], "extends": "LW_NOTHING"}
    expect.rejected(400, "extends", service.account.alert_profiles.create, **create)
    expect.absent(service.account.alert_profiles.get(), "alertProfileId", "Orphan")
