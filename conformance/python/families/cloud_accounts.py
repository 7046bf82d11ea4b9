"""Cloud accounts of every type."""

import expect
from harness import Family
from integrations import AWS_KEY, AWS_ROLE, AZURE, GOOGLE, SECRET, check_life_cycle

family = Family("CloudAccounts")

SCAN = {
    "scanFrequency": 24,
    "scanContainers": True,
    "scanHostVulnerabilities": True,
    "scanMultiVolume": False,
    "scanStoppedInstances": True,
}
MAPPING = "data:application/json;name=i.json;base64,eyJkZWZhdWx0TGFjZXdvcmtBY2NvdW50QXdzIjoibG9jYWwifQ=="
TENANT = "8a1b2c3d-0000-4000-8000-112233445566"

ACCOUNTS = {
    "AwsCfg": {"crossAccountCredentials": AWS_ROLE},
    "AwsCtSqs": {
        "crossAccountCredentials": AWS_ROLE,
        "queueUrl": "https://sqs.us-west-2.amazonaws.com/112233445566/trail",
    },
    "AwsDspm": {
        "awsAccountId": "112233445566",
        "bucketArn": "arn:aws:s3:::results",
        "crossAccountCredentials": AWS_ROLE,
        "regions": ["us-west-2", "us-east-1"],
        "integrationLevel": "ACCOUNT",
    },
    "AwsEksAudit": {
        "crossAccountCredentials": AWS_ROLE,
        "snsArn": "arn:aws:sns:us-west-2:112233445566:audit",
        "s3BucketArn": "arn:aws:s3:::audit",
    },
    "AwsSidekick": {**SCAN, "crossAccountCredentials": AWS_ROLE, "bucketArn": "arn:aws:s3:::scans"},
    "AwsSidekickOrg": {
        **SCAN,
        "crossAccountCredentials": AWS_ROLE,
        "scanningAccount": "112233445566",
        "monitoredAccounts": "r-1234, ou-0987",
        "managementAccount": "223344556677",
        "accountMappingFile": MAPPING,
    },
    "AwsUsGovCfg": {"accessKeyCredentials": AWS_KEY},
    "AwsUsGovCtSqs": {
        "accessKeyCredentials": AWS_KEY,
        "queueUrl": "https://sqs.us-gov-west-1.amazonaws.com/112233445566/trail",
    },
    "AzureAdAl": {
        "credentials": AZURE,
        "tenantId": TENANT,
        "eventHubNamespace": "company.servicebus.windows.net",
        "eventHubName": "activity",
    },
    "AzureAlSeq": {
        "credentials": AZURE,
        "tenantId": TENANT,
        "queueUrl": "https://company.queue.core.windows.net/activity",
    },
    "AzureCfg": {"credentials": AZURE, "tenantId": TENANT},
    "AzureDspm": {
        "credentials": AZURE,
        "tenantId": TENANT,
        "integrationLevel": "TENANT",
        "storageAccountUrl": "https://company.blob.core.windows.net",
        "blobContainerName": "results",
        "regions": ["westus"],
    },
    "AzureSidekick": {
        **SCAN,
        "credentials": AZURE,
        "integrationLevel": "SUBSCRIPTION",
        "tenantId": TENANT,
        "scanningSubscriptionId": "b1c2d3e4-0000-4000-8000-112233445566",
        "scanningResourceGroupName": "scanners",
        "storageAccountUrl": "https://company.blob.core.windows.net",
        "blobContainerName": "scans",
        "subscriptionsList": "first, second",
    },
    "GcpAlPubSub": {
        "credentials": GOOGLE,
        "integrationType": "PROJECT",
        "projectId": "project",
        "subscriptionName": "projects/project/subscriptions/audit",
        "topicId": "projects/project/topics/audit",
    },
    "GcpAtSes": {
        "credentials": GOOGLE,
        "idType": "PROJECT",
        "id": "project",
        "subscriptionName": "projects/project/subscriptions/trail",
    },
    "GcpCfg": {"credentials": GOOGLE, "idType": "ORGANIZATION", "id": "112233445566"},
    "GcpGkeAudit": {
        "credentials": GOOGLE,
        "integrationType": "ORGANIZATION",
        "organizationId": "112233445566",
        "projectId": "project",
        "subscriptionName": "projects/project/subscriptions/gke",
    },
    "GcpSidekick": {
        **SCAN,
        "credentials": {**GOOGLE, "tokenUri": "https://oauth2.googleapis.com/token"},
        "idType": "PROJECT",
        "id": "project",
        "scanningProjectId": "scanners",
        "sharedBucketName": "scans",
        "filterList": "first, second",
    },
    "OciCfg": {
        "credentials": {"fingerprint": "11:22:33:44:55:66:77:88", "privateKey": SECRET},
        "homeRegion": "us-sanjose-1",
        "tenantId": "ocid1.tenancy.oc1..aaaa",
        "tenantName": "company",
        "userOcid": "ocid1.user.oc1..aaaa",
    },
}
WITH_SERVER_TOKEN = ["AwsDspm", "AwsSidekick", "AwsSidekickOrg", "AzureDspm", "AzureSidekick", "GcpSidekick"]


@family.check_each(ACCOUNTS, "is created, read, found, changed and deleted")
def life_cycle(service, type, data):
    check_life_cycle(service.account.cloud_accounts, f"{type} of the conformance run", type, data)


@family.check("every account has a state, with times in milliseconds")
def state(service):
    accounts = service.account.cloud_accounts
    created = accounts.create("With a state", "AzureCfg", True, ACCOUNTS["AzureCfg"])["data"]
    expect.equal(
        sorted(created["state"]), ["details", "lastSuccessfulTime", "lastUpdatedTime", "ok"], "the state"
    )
    assert isinstance(created["state"]["ok"], bool) and isinstance(created["state"]["lastUpdatedTime"], int)
    expect.deleted(accounts.delete(created["intgGuid"]))


@family.check("agentless types come with a server token")
def server_token(service):
    accounts = service.account.cloud_accounts
    for type in WITH_SERVER_TOKEN:
        created = accounts.create(type, type, True, ACCOUNTS[type])["data"]
        expect.strings(created["serverToken"], "serverToken", "uri")
        expect.deleted(accounts.delete(created["intgGuid"]))


@family.check("the AWS account is read from the role, and a second integration of it is rejected")
def aws_account(service):
    accounts = service.account.cloud_accounts
    created = accounts.create("Once", "AwsCfg", True, ACCOUNTS["AwsCfg"])["data"]
    expect.equal(created["data"]["awsAccountId"], "112233445566", "the AWS account")
    expect.rejected(
        409, "AWS account is already used", accounts.create, "Twice", "AwsCfg", True, ACCOUNTS["AwsCfg"]
    )
    expect.equal(len(accounts.get_by_type("AwsCfg")["data"]), 1, "the number of accounts")
    expect.deleted(accounts.delete(created["intgGuid"]))


@family.check("an account of the organization carries the mapping of its accounts")
def organization(service):
    data = {**ACCOUNTS["AwsCtSqs"], "accountMappingFile": MAPPING}
    check_life_cycle(service.organization.cloud_accounts, "Of the organization", "AwsCtSqs", data, is_org=1)
