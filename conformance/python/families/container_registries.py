"""Container registries of every kind; the SDK's own tests create one with only its kind."""

import expect
from harness import Family
from integrations import AWS_ROLE, GOOGLE, SECRET, check_life_cycle

family = Family("ContainerRegistries")

LIMITS = {
    "limitByTag": ["release-*", "latest"],
    "limitByLabel": [{"team": "ops"}, {"team": "web"}],
    "limitByRep": ["company/web"],
    "limitNumImg": 10,
    "nonOsPackageEval": True,
}
TAG_LIMITS = {name: LIMITS[name] for name in ("limitByTag", "limitByLabel", "nonOsPackageEval")}
KEY = {"accessKeyId": "AKIAEXAMPLE", "secretAccessKey": SECRET}
ECR = "112233445566.dkr.ecr.us-west-2.amazonaws.com"

REGISTRIES = {
    "AWS_ECR": {
        "awsAuthType": "AWS_IAM",
        "crossAccountCredentials": AWS_ROLE,
        "registryDomain": ECR,
        **LIMITS,
    },
    "DOCKERHUB": {
        "credentials": {"username": "reader", "password": SECRET},
        "registryDomain": "index.docker.io",
        **LIMITS,
    },
    "GCP_GAR": {"credentials": GOOGLE, "registryDomain": "us-west1-docker.pkg.dev", **LIMITS},
    "GCP_GCR": {"credentials": GOOGLE, "registryDomain": "gcr.io", **LIMITS},
    "GHCR": {
        "credentials": {"username": "reader", "password": SECRET, "ssl": True},
        "registryNotifications": False,
        "registryDomain": "ghcr.io",
        **LIMITS,
    },
    "INLINE_SCANNER": {"identifierTag": [{"pipeline": "main"}], "limitNumScan": "60"},
    "PROXY_SCANNER": {
        name: LIMITS[name] for name in ("limitByTag", "limitByLabel", "limitByRep", "limitNumImg")
    },
    "V2_REGISTRY": {
        "credentials": {"username": "reader", "password": SECRET, "ssl": True},
        "registryDomain": "registry.example.com:8080",
        "registryNotifications": True,
        **TAG_LIMITS,
    },
}


@family.check_each(REGISTRIES, "is created, read, found, changed and deleted")
def life_cycle(service, kind, data):
    check_life_cycle(
        service.account.container_registries,
        f"{kind} registry",
        "ContVulnCfg",
        {"registryType": kind, **data},
    )


@family.check("AWS_ECR signs in with an access key too")
def access_key(service):
    data = {
        "registryType": "AWS_ECR",
        "awsAuthType": "AWS_ACCESS_KEY",
        "accessKeyCredentials": KEY,
        "registryDomain": ECR,
    }
    check_life_cycle(service.account.container_registries, "ECR with a key", "ContVulnCfg", data)


@family.check_each(
    {"INLINE_SCANNER": {}, "PROXY_SCANNER": {}}, "needs only its kind and has a server token"
)
def scanner(service, kind, _):
    registries = service.account.container_registries
    created = registries.create(f"Bare {kind}", "ContVulnCfg", 1, {"registryType": kind})["data"]
    expect.strings(created["serverToken"], "serverToken", "uri")
    expect.equal(
        registries.get_by_guid(created["intgGuid"])["data"]["serverToken"], created["serverToken"], "the token"
    )
    changed = registries.update(created["intgGuid"], enabled=0)["data"]
    expect.equal(changed["serverToken"], created["serverToken"], "the token after a change")
    expect.deleted(registries.delete(created["intgGuid"]))


@family.check("registries are listed by their kind")
def by_kind(service):
    registries = service.account.container_registries
    created = registries.create("By kind", "ContVulnCfg", 1, {"registryType": "INLINE_SCANNER"})["data"]
    # With both, the SDK requests <type>/<guid>, which selects a kind.
    expect.one(registries.get(type="ContVulnCfg", guid="INLINE_SCANNER"), "intgGuid", created["intgGuid"])
    expect.absent(registries.get(type="ContVulnCfg", guid="GHCR"), "intgGuid", created["intgGuid"])
    expect.deleted(registries.delete(created["intgGuid"]))


@family.check("a registry of the organization is not one of the account")
def organization(service):
    data = {"registryType": "GHCR", **REGISTRIES["GHCR"]}
    check_life_cycle(service.organization.container_registries, "Of the organization", "ContVulnCfg", data, is_org=1)
