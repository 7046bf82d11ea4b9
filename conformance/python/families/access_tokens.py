"""Access tokens, which the SDK requests itself, and the selection of the account."""

from datetime import datetime, timedelta, timezone

import expect
from harness import Family

family = Family("access tokens")


@family.check("the SDK requests a token for an hour and reads its expiry")
def expiry(service):
    session = service.connect().user_profile.session
    left = session._access_token_expiry - datetime.now(timezone.utc)
    assert timedelta(minutes=55) < left <= timedelta(minutes=61), f"the token is valid for {left}"


@family.check("a token is used in place of a key")
def token_only(service):
    token = service.account.user_profile.session._access_token
    client = service.connect(api_key=None, api_secret=None, api_token=token)
    expect.equal(client.user_profile.get(), service.account.user_profile.get(), "the profile")


@family.check("an expired token is renewed, whatever headers the connection carries")
def renewal(service):
    client = service.connect(subaccount="local")
    client.set_org_level_access(True)
    client.alert_channels.get()
    session = client.user_profile.session
    session._access_token = "nonsense"
    session._access_token_expiry = datetime.now(timezone.utc) - timedelta(seconds=1)
    assert client.alert_channels.get()["data"], "no channels after the renewal"


@family.check("a wrong secret or token is rejected")
def refusal(service):
    expect.rejected(401, "", service.connect, api_secret="_0000000000000000000000000000000f")
    client = service.connect(api_token="nonsense")
    expect.rejected(401, "", client.user_profile.get)


@family.check("a sub-account is chosen by its name in any case")
def subaccount(service):
    everything = service.account.alert_channels.get()
    for account in service.account.user_profile.get()["data"][0]["accounts"]:
        for name in account["accountName"].upper(), account["accountName"].lower():
            expect.equal(
                service.connect(subaccount=name).alert_channels.get(), everything, f"the channels of {name}"
            )
    stranger = service.connect(subaccount="nowhere")
    expect.rejected(403, "Invalid Account", stranger.alert_channels.get)
