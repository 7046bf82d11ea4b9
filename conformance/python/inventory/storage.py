"""Buckets, databases, keys and secrets."""

import json

import requests

from inventory.planted import REGIONS, Planted, arn

BUCKETS = 50


def plant_buckets(planted: Planted):
    policy = {
        "Version": "2012-10-17",
        "Statement": [{"Sid": "Tls", "Effect": "Deny", "Principal": "*", "Action": "s3:*", "Resource": "*"}],
    }
    blocked = dict.fromkeys(
        ["BlockPublicAcls", "IgnorePublicAcls", "BlockPublicPolicy", "RestrictPublicBuckets"], True
    )
    rule = {"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "aws:kms"}}
    for number in range(BUCKETS):
        region, name = REGIONS[number % len(REGIONS)], f"planted-{number}"
        s3 = planted.client("s3", region)
        location = {"CreateBucketConfiguration": {"LocationConstraint": region}}
        s3.create_bucket(Bucket=name, **({} if region == "us-east-1" else location))
        key, is_configured = f"arn:aws:s3:::{name}", number % 2 == 0
        if is_configured:
            s3.put_bucket_policy(Bucket=name, Policy=json.dumps(policy))
            s3.put_public_access_block(Bucket=name, PublicAccessBlockConfiguration=blocked)
            s3.put_bucket_versioning(Bucket=name, VersioningConfiguration={"Status": "Enabled"})
            s3.put_bucket_encryption(Bucket=name, ServerSideEncryptionConfiguration={"Rules": [rule]})
            s3.put_bucket_tagging(Bucket=name, Tagging={"TagSet": [{"Key": "team", "Value": f"t{number}"}]})
            expire = {"ID": "old", "Status": "Enabled", "Filter": {"Prefix": ""}, "Expiration": {"Days": 9}}
            s3.put_bucket_lifecycle_configuration(Bucket=name, LifecycleConfiguration={"Rules": [expire]})

        def companion(kind: str, is_set: bool = is_configured, key=key, region=region, **config):
            planted.add(f"S3_GET_{kind}", region, key, **(config if is_set else {}))

        planted.add("S3", region, key, Name=name)
        companion("BUCKET_ACL")
        companion("BUCKET_POLICY", Policy=policy)
        companion("PUBLIC_ACCESS_BLOCK", PublicAccessBlockConfiguration=blocked)
        companion("BUCKET_ENCRYPTION")
        companion("BUCKET_VERSIONING", Status="Enabled")
        companion("BUCKET_LOGGING")
        companion("BUCKET_LIFECYCLE_CONFIGURATION")
        companion("BUCKET_REPLICATION")
        companion("OBJECT_LOCK_CONFIGURATION")
    # boto3 puts the account before the name of the host, which has no address then.
    credential = "Credential=AKIAPLANTER/20260101/us-east-1/s3/aws4_request"
    requests.put(
        f"{planted.url}/v20180820/configuration/publicAccessBlock",
        data="<PublicAccessBlockConfiguration>"
        + "".join(f"<{name}>true</{name}>" for name in blocked)
        + "</PublicAccessBlockConfiguration>",
        headers={
            "Authorization": f"AWS4-HMAC-SHA256 {credential}, SignedHeaders=host, Signature=0",
            "x-amz-account-id": "123456789012",
        },
        timeout=10,
    ).raise_for_status()
    root = "arn:aws:iam::123456789012:root"
    planted.add(
        "S3CONTROL_GET_PUBLIC_ACCESS_BLOCK", "aws-global", root, PublicAccessBlockConfiguration=blocked
    )


def plant(planted: Planted, region: str, subnets: list[str]):
    databases(planted, region)
    keys(planted, region)
    warehouses(planted, region)
    efs = planted.client("efs", region)
    for number in range(2):
        created = efs.create_file_system(CreationToken=f"files-{number}", Encrypted=number == 0)
        planted.add("EFS_DESCRIBE_FILE_SYSTEMS", region, created["FileSystemArn"], Encrypted=number == 0)
        planted.add("EFS_DESCRIBE_BACKUP_POLICY", region, created["FileSystemArn"])


def keys(planted: Planted, region: str):
    kms = planted.client("kms", region)
    # Encrypted volumes and databases have keys that AWS manages.
    for row in kms.list_keys()["Keys"]:
        for kind in ["", "_DESCRIBE_KEY", "_GET_ROTATION_STATUS", "_GET_POLICY"]:
            planted.add(f"KMS_KEYS{kind}", region, row["KeyArn"])
    for number in range(5):
        created = kms.create_key(Description=f"key-{number}")["KeyMetadata"]
        is_rotated = number % 2 == 0
        if is_rotated:
            kms.enable_key_rotation(KeyId=created["KeyId"])
        planted.add("KMS_KEYS", region, created["Arn"], KeyId=created["KeyId"])
        planted.add("KMS_KEYS_DESCRIBE_KEY", region, created["Arn"])
        planted.add("KMS_KEYS_GET_ROTATION_STATUS", region, created["Arn"], KeyRotationEnabled=is_rotated)
        planted.add("KMS_KEYS_GET_POLICY", region, created["Arn"])
    secrets = planted.client("secretsmanager", region)
    for number in range(10):
        created = secrets.create_secret(Name=f"secret-{number}", SecretString="canary of a secret")
        planted.add("SECRETSMANAGER_SECRETS", region, created["ARN"], Name=f"secret-{number}")


def databases(planted: Planted, region: str):
    dynamodb = planted.client("dynamodb", region)
    for number in range(10):
        name = f"table-{number}"
        dynamodb.create_table(
            TableName=name,
            KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
            BillingMode="PAY_PER_REQUEST",
        )
        key = arn("dynamodb", region, f"table/{name}")
        planted.add("DYNAMODB_TABLES", region, key, Name=name)
        planted.add("DYNAMODB_TABLES_DESCRIBE_TABLE", region, key, TableName=name, TableArn=key)
        planted.add("DYNAMODB_DESCRIBE_CONTINUOUS_BACKUPS", region, key)

    rds = planted.client("rds", region)
    group = rds.create_db_parameter_group(
        DBParameterGroupName="planted", DBParameterGroupFamily="postgres16", Description="planted"
    )["DBParameterGroup"]["DBParameterGroupArn"]
    planted.add("RDS_DB_PARAMETER_GROUPS", region, group, DBParameterGroupName="planted")
    planted.add("RDS_DB_PARAMETERS", region, group)
    master = {"MasterUsername": "admin", "MasterUserPassword": "canary of a password"}
    for number in range(3):
        name = f"db-{number}"
        created = rds.create_db_instance(
            DBInstanceIdentifier=name,
            DBInstanceClass="db.t3.micro",
            Engine="postgres",
            AllocatedStorage=20,
            StorageEncrypted=number == 0,
            **master,
        )["DBInstance"]
        planted.add("RDS_DB_INSTANCES", region, created["DBInstanceArn"], StorageEncrypted=number == 0)
        snapshot = rds.create_db_snapshot(DBSnapshotIdentifier=f"copy-{number}", DBInstanceIdentifier=name)
        key = snapshot["DBSnapshot"]["DBSnapshotArn"]
        planted.add("RDS_DB_SNAPSHOTS", region, key, DBInstanceIdentifier=name)
        planted.add("RDS_DESCRIBE_DB_SNAPSHOT_ATTRIBUTES", region, key)
    for row in rds.describe_db_parameter_groups()["DBParameterGroups"]:
        if row["DBParameterGroupName"] != "planted":
            planted.add("RDS_DB_PARAMETER_GROUPS", region, row["DBParameterGroupArn"])
            planted.add("RDS_DB_PARAMETERS", region, row["DBParameterGroupArn"])
    cluster = rds.create_db_cluster(DBClusterIdentifier="cluster", Engine="aurora-postgresql", **master)
    planted.add("RDS_CLUSTERS", region, cluster["DBCluster"]["DBClusterArn"], Engine="aurora-postgresql")
    snapshot = rds.create_db_cluster_snapshot(
        DBClusterSnapshotIdentifier="cluster-copy", DBClusterIdentifier="cluster"
    )["DBClusterSnapshot"]
    planted.add("RDS_CLUSTER_SNAPSHOTS", region, snapshot["DBClusterSnapshotArn"], DBClusterIdentifier="cluster")
    # A new cluster is backed up, as is a new instance.
    for row in rds.describe_db_cluster_snapshots(SnapshotType="automated")["DBClusterSnapshots"]:
        planted.add("RDS_CLUSTER_SNAPSHOTS", region, row["DBClusterSnapshotArn"], SnapshotType="automated")
    for row in rds.describe_db_snapshots(SnapshotType="automated")["DBSnapshots"]:
        planted.add("RDS_DB_SNAPSHOTS", region, row["DBSnapshotArn"], SnapshotType="automated")
        planted.add("RDS_DESCRIBE_DB_SNAPSHOT_ATTRIBUTES", region, row["DBSnapshotArn"])


def warehouses(planted: Planted, region: str):
    redshift = planted.client("redshift", region)
    master = {"MasterUsername": "admin", "MasterUserPassword": "Canary-of-1-password"}
    redshift.create_cluster(ClusterIdentifier="warehouse", NodeType="dc2.large", DBName="db", **master)
    key = arn("redshift", region, "cluster:warehouse")
    planted.add("REDSHIFT_CLUSTERS", region, key, ClusterIdentifier="warehouse", MasterUsername="admin")
    planted.add("REDSHIFT_DESCRIBE_LOGGING_STATUS", region, key, LoggingEnabled=False)
    redshift.create_cluster_parameter_group(
        ParameterGroupName="planted", ParameterGroupFamily="redshift-1.0", Description="planted"
    )
    key = arn("redshift", region, "parametergroup:planted")
    planted.add("REDSHIFT_CLUSTER_PARAMETER_GROUPS", region, key, ParameterGroupName="planted")
    planted.add("REDSHIFT_CLUSTER_PARAMETERS", region, key)
    opensearch = planted.client("opensearch", region)
    domain = opensearch.create_domain(DomainName="search")["DomainStatus"]["ARN"]
    planted.add("OPENSEARCH", region, domain, DomainName="search")
    planted.add("OPENSEARCH_DESCRIBE_DOMAIN", region, domain, DomainName="search", ARN=domain)
