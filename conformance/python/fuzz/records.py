"""Records created before the generated requests, so that responses are more than 404 and empty lists."""

CHANNEL = {
    "name": "receiver",
    "type": "Webhook",
    "enabled": 1,
    "data": {"webhookUrl": "https://receiver.example.com/hook"},
}
RULES = {
    "AlertRules": {"type": "Event", "filters": {"name": "rule", "enabled": 1, "severity": [1, 2]}},
    "ReportRules": {
        "type": "Report",
        "filters": {"name": "report", "enabled": 1, "severity": [1]},
        "reportNotificationTypes": {"awsCisS3": True},
    },
    "DataExportRules": {
        "type": "Dataexport",
        "filters": {"name": "export", "enabled": 1, "profileVersions": ["V1"]},
    },
}
RECORDS = {
    "CloudAccounts": {
        "name": "account",
        "type": "AwsCfg",
        "enabled": 1,
        "data": {
            "crossAccountCredentials": {
                "roleArn": "arn:aws:iam::112233445566:role/reader",
                "externalId": "lweid:aws:v2:local:112233445566:x",
            }
        },
    },
    "ContainerRegistries": {
        "name": "registry",
        "type": "ContVulnCfg",
        "enabled": 1,
        "data": {
            "registryType": "DOCKERHUB",
            "registryDomain": "index.docker.io",
            "credentials": {"username": "reader", "password": "secret"},
        },
    },
    "ResourceGroups": {
        "resourceName": "group",
        "resourceType": "AWS",
        "enabled": 1,
        "props": {"description": "", "accountIds": ["123456789012"]},
    },
    "Queries": {"queryId": "Fuzz", "queryText": "{ source { LW_HE_MACHINES } return { MID, HOSTNAME } }"},
    "Policies": {
        "title": "Policy",
        "policyType": "Manual",
        "description": "Created before the run.",
        "remediation": "None.",
        "severity": "low",
        "enabled": False,
        "alertEnabled": False,
    },
    "AlertProfiles": {
        "alertProfileId": "Fuzz_Profile",
        "extends": "LW_HE_USERS_DEFAULT_PROFILE",
        "alerts": [
            {
                "name": "HE_User_NewViolation_Fuzz",
                "eventName": "A user",
                "subject": "{{_OCCURRENCE}}",
                "description": "{{_OCCURRENCE}}",
            }
        ],
    },
    "ReportDefinitions": {
        "reportName": "Report",
        "reportType": "COMPLIANCE",
        "subReportType": "AWS",
        "reportDefinition": {"sections": [{"title": "Section", "policies": ["lacework-global-34"]}]},
    },
    "TeamMembers": {"userName": "member@example.com", "userEnabled": 1, "props": {"firstName": "A"}},
    "TeamUsers": {"name": "service", "type": "ServiceUser", "description": "A program."},
}
DISTRIBUTION = {"distributionName": "Distribution", "frequency": "daily", "data": {"severities": ["high"]}}
EXCEPTION = {
    "description": "Created before the run.",
    "constraints": [{"fieldKey": "accountIds", "fieldValues": ["123456789012"]}],
}
EXCEPTED_POLICY = "lacework-global-34"


def create(api) -> None:
    """Creates one record of every family; `api` posts a body to a path and returns the record."""
    channel = api.post("AlertChannels", CHANNEL)
    for family, body in RULES.items():
        api.post(family, {**body, "intgGuidList": [channel["intgGuid"]]})
    created = {family: api.post(family, body) for family, body in RECORDS.items()}
    definition = created["ReportDefinitions"]["reportDefinitionGuid"]
    api.post(
        "ReportDistributions",
        {**DISTRIBUTION, "reportDefinitionGuid": definition, "alertChannels": [channel["intgGuid"]]},
    )
    api.post(f"Exceptions?policyId={EXCEPTED_POLICY}", EXCEPTION)
