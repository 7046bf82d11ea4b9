"""IAM, the account and its organization."""

import json

from inventory.planted import GLOBAL, Planted

DOCUMENT = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
TRUST = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}],
}


def plant(planted: Planted) -> str:
    """Returns the ARN of a role."""
    iam = planted.client("iam")
    policies = [policy(planted, iam, number) for number in range(10)]
    groups(planted, iam, policies[0])
    for number in range(30):
        user(planted, iam, number, policies[0])
    roles = [role(planted, iam, number, policies[0]) for number in range(10)]
    providers(planted, iam)
    account(planted, iam)
    return roles[0]


def inline(planted: Planted, kinds: tuple[str, str], arn: str, **name):
    planted.add(kinds[0], GLOBAL, f"{arn} inline", PolicyName="inline")
    planted.add(kinds[1], GLOBAL, f"{arn} inline", PolicyName="inline", PolicyDocument=DOCUMENT, **name)


def policy(planted: Planted, iam, number: int) -> str:
    name = f"policy-{number}"
    arn = iam.create_policy(PolicyName=name, PolicyDocument=json.dumps(DOCUMENT))["Policy"]["Arn"]
    attached = 41 if number == 0 else 0
    planted.add("IAM_POLICIES", GLOBAL, arn, AttachmentCount=attached)
    planted.add("IAM_POLICIES_GET_VERSION", GLOBAL, arn)
    return arn


def groups(planted: Planted, iam, policy: str):
    for number in range(5):
        name = f"group-{number}"
        arn = iam.create_group(GroupName=name)["Group"]["Arn"]
        planted.add("IAM_GROUPS", GLOBAL, arn, GroupName=name)
        iam.put_group_policy(GroupName=name, PolicyName="inline", PolicyDocument=json.dumps(DOCUMENT))
        inline(planted, ("IAM_GROUP_POLICIES", "IAM_GET_GROUP_POLICY"), arn, GroupName=name)
        if number == 0:
            iam.attach_group_policy(GroupName=name, PolicyArn=policy)
            planted.add("IAM_GROUPS_LIST_ATTACHED_POLICIES", GLOBAL, f"{arn} {policy}", PolicyArn=policy)


def user(planted: Planted, iam, number: int, policy: str):
    name = f"user-{number}"
    arn = iam.create_user(UserName=name)["User"]["Arn"]
    iam.attach_user_policy(UserName=name, PolicyArn=policy)
    planted.add("IAM_USERS", GLOBAL, arn, UserName=name)
    planted.add("IAM_USERS_LIST_ATTACHED_POLICIES", GLOBAL, f"{arn} {policy}", PolicyArn=policy)
    planted.add("IAM_USERS_GET_CREDENTIAL_REPORT", GLOBAL, arn, user=name, arn=arn)
    key = iam.create_access_key(UserName=name)["AccessKey"]["AccessKeyId"]
    planted.add("IAM_USERS_LIST_ACCESS_KEYS", GLOBAL, key, UserName=name, Status="Active")
    if number > 0:
        return
    iam.put_user_policy(UserName=name, PolicyName="inline", PolicyDocument=json.dumps(DOCUMENT))
    inline(planted, ("IAM_USERS_LIST_POLICIES", "IAM_USERS_GET_POLICY"), arn, UserName=name)
    body = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ planted"
    key = iam.upload_ssh_public_key(UserName=name, SSHPublicKeyBody=body)["SSHPublicKey"]["SSHPublicKeyId"]
    planted.add("IAM_USERS_LIST_SSH_PUBLIC_KEYS", GLOBAL, key, UserName=name)
    device = iam.create_virtual_mfa_device(VirtualMFADeviceName=name)["VirtualMFADevice"]["SerialNumber"]
    codes = {"AuthenticationCode1": "123456", "AuthenticationCode2": "234567"}
    iam.enable_mfa_device(UserName=name, SerialNumber=device, **codes)
    planted.add("IAM_MFA_DEVICES", GLOBAL, device, SerialNumber=device)
    planted.add("IAM_USERS_LIST_MFA_DEVICES", GLOBAL, device, UserName=name)


def role(planted: Planted, iam, number: int, policy: str) -> str:
    name = f"role-{number}"
    arn = iam.create_role(RoleName=name, AssumeRolePolicyDocument=json.dumps(TRUST))["Role"]["Arn"]
    iam.attach_role_policy(RoleName=name, PolicyArn=policy)
    iam.put_role_policy(RoleName=name, PolicyName="inline", PolicyDocument=json.dumps(DOCUMENT))
    planted.add("IAM_ROLES", GLOBAL, arn, RoleName=name, AssumeRolePolicyDocument=TRUST)
    planted.add("IAM_ROLES_LIST_ATTACHED_POLICIES", GLOBAL, f"{arn} {policy}", PolicyArn=policy)
    inline(planted, ("IAM_ROLES_LIST_POLICIES", "IAM_ROLES_GET_POLICY"), arn, RoleName=name)
    return arn


def providers(planted: Planted, iam):
    certificate = iam.upload_server_certificate(
        ServerCertificateName="certificate", CertificateBody="public", PrivateKey="canary of a key"
    )["ServerCertificateMetadata"]["Arn"]
    planted.add("IAM_SERVER_CERTIFICATES", GLOBAL, certificate, ServerCertificateName="certificate")
    saml = iam.create_saml_provider(Name="saml", SAMLMetadataDocument="m" * 1_024)["SAMLProviderArn"]
    planted.add("IAM_SAML_PROVIDERS", GLOBAL, saml, Arn=saml)
    oidc = iam.create_open_id_connect_provider(Url="https://planted.example", ThumbprintList=["a" * 40])
    key = oidc["OpenIDConnectProviderArn"]
    planted.add("IAM_OPEN_ID_CONNECT_PROVIDERS", GLOBAL, key, Arn=key, Url="planted.example")


def account(planted: Planted, iam):
    root = "arn:aws:iam::123456789012:root"
    iam.update_account_password_policy(MinimumPasswordLength=15)
    planted.add("IAM_ACCOUNT_PASSWORD_POLICY", GLOBAL, root, MinimumPasswordLength=15)
    planted.add("IAM_ACCOUNT_SUMMARY", GLOBAL, root, Users=30, Groups=5)
    planted.add("ACCOUNTS", GLOBAL, root, Id="123456789012")
    contact = {"EmailAddress": "a@planted.example", "Name": "A", "PhoneNumber": "+1", "Title": "T"}
    planted.client("account").put_alternate_contact(AlternateContactType="SECURITY", **contact)
    stored = {**contact, "AlternateContactType": "SECURITY"}
    key = "123456789012/SECURITY"
    planted.add("ACCOUNT_GET_ALTERNATE_CONTACT", GLOBAL, key, AlternateContact=stored)
    origin = {"Id": "origin", "DomainName": "planted.example"}
    header = {"HeaderName": "X-Secret", "HeaderValue": "canary of a header"}
    origin["CustomHeaders"] = {"Quantity": 1, "Items": [header]}
    origin["CustomOriginConfig"] = {"HTTPPort": 80, "HTTPSPort": 443, "OriginProtocolPolicy": "http-only"}
    behaviour = {"TargetOriginId": "origin", "ViewerProtocolPolicy": "allow-all"}
    distribution = planted.client("cloudfront").create_distribution(
        DistributionConfig={
            "CallerReference": "planted",
            "Comment": "planted",
            "Enabled": True,
            "Origins": {"Quantity": 1, "Items": [origin]},
            "DefaultCacheBehavior": behaviour,
        }
    )["Distribution"]["ARN"]
    planted.add("CLOUDFRONT", GLOBAL, distribution, Comment="planted")
    planted.add("CLOUDFRONT_GET_DISTRIBUTION_CONFIG", GLOBAL, distribution, CallerReference="planted")
    planted.client("organizations").create_organization(FeatureSet="ALL")
    key = planted.client("organizations").list_accounts()["Accounts"][0]
    planted.add("ORGANIZATIONS_ACCOUNTS", GLOBAL, key["Arn"], Id=key["Id"])
