"""The profile of the caller."""

import expect
from harness import Family

family = Family("UserProfile")


@family.check("contains the user and all accessible accounts")
def shape(service):
    (profile,) = service.account.user_profile.get()["data"]
    expect.strings(profile, "username", "url")
    for name in "orgAccount", "orgAdmin", "orgUser":
        assert isinstance(profile[name], bool), f"{name} is no truth value"
    (account,) = profile["accounts"]
    expect.strings(account, "accountName", "custGuid", "userGuid")
    expect.contains(account, {"admin": True, "userEnabled": 1})


@family.check("ignores the bare key that the SDK appends for an account's name")
def bare_key(service):
    profile = service.account.user_profile
    expect.equal(profile.get(account_name="local"), profile.get(), "the profile")
