"""Functions, clusters, images, queues, logs and the security services."""

import io
import json
import zipfile

from inventory.planted import Planted, arn


def plant(planted: Planted, region: str, role: str, subnets: list[str]):
    functions(planted, region, role)
    containers(planted, region, role, subnets)
    observability(planted, region)
    topics(planted, region)
    detection(planted, region, role)
    acm = planted.client("acm", region)
    for number in range(4):
        name = f"{number}.planted.example"
        key = acm.request_certificate(DomainName=name)["CertificateArn"]
        planted.add("ACM", region, key, DomainName=name)
        planted.add("ACM_DESCRIBE_CERTIFICATE", region, key, DomainName=name)


def functions(planted: Planted, region: str, role: str):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as code:
        code.writestr("main.py", "def handler(event, context): pass")
    functions = planted.client("lambda", region)
    for number in range(3):
        name = f"function-{number}"
        key = functions.create_function(
            FunctionName=name,
            Runtime="python3.13",
            Role=role,
            Handler="main.handler",
            Code={"ZipFile": archive.getvalue()},
            Environment={"Variables": {"PASSWORD": "canary of a variable"}},
        )["FunctionArn"]
        stored = {"Variables": {"PASSWORD": "[redacted]"}}
        planted.add("LAMBDA", region, key, FunctionName=name, Environment=stored)
        statement = {"StatementId": "s3", "Action": "lambda:InvokeFunction", "Principal": "s3.amazonaws.com"}
        functions.add_permission(FunctionName=name, **statement)
        planted.add("LAMBDA_GET_POLICY", region, key)


def containers(planted: Planted, region: str, role: str, subnets: list[str]):
    eks = planted.client("eks", region)
    eks.create_cluster(name="shop", roleArn=role, resourcesVpcConfig={"subnetIds": subnets}, version="1.31")
    cluster = arn("eks", region, "cluster/shop")
    planted.add("EKS_CLUSTERS", region, cluster, Name="shop")
    planted.add("EKS_CLUSTERS_DESCRIBE_CLUSTER", region, cluster, name="shop", version="1.31")
    eks.create_nodegroup(clusterName="shop", nodegroupName="workers", subnets=subnets, nodeRole=role)
    key = arn("eks", region, "nodegroup/shop/workers")
    planted.add("EKS_NODEGROUPS", region, key, Name="workers")
    planted.add("EKS_DESCRIBE_NODEGROUP", region, key, nodegroupName="workers", nodeRole=role)
    ecr = planted.client("ecr", region)
    for number in range(5):
        name = f"image-{number}"
        key = ecr.create_repository(repositoryName=name)["repository"]["repositoryArn"]
        planted.add("ECR_REPOSITORIES", region, key, repositoryName=name)
        allow = {"Sid": "Pull", "Effect": "Allow", "Principal": "*", "Action": "ecr:BatchGetImage"}
        policy = {"Version": "2012-10-17", "Statement": [allow]}
        if number == 0:
            ecr.set_repository_policy(repositoryName=name, policyText=json.dumps(policy))
        stored = {"policyText": policy} if number == 0 else {}
        planted.add("ECR_REPOSITORIES_GET_POLICY", region, key, **stored)


def observability(planted: Planted, region: str):
    logs = planted.client("logs", region)
    for number in range(16):
        name = f"/planted/{number}"
        logs.create_log_group(logGroupName=name)
        key = arn("logs", region, f"log-group:{name}")
        planted.add("LOGS", region, key, logGroupName=name)
        if number >= 3:
            continue
        metric = {"metricName": f"metric-{number}", "metricNamespace": "planted", "metricValue": "1"}
        pattern = '{ $.userIdentity.type = "Root" }'
        filter = {"filterName": "root", "filterPattern": pattern, "metricTransformations": [metric]}
        logs.put_metric_filter(logGroupName=name, **filter)
        key += ":metric-filter:root"
        planted.add("LOGS_DESCRIBE_METRIC_FILTERS", region, key, logGroupName=name, filterPattern=pattern)
    cloudwatch = planted.client("cloudwatch", region)
    for number in range(5):
        name = f"alarm-{number}"
        cloudwatch.put_metric_alarm(
            AlarmName=name,
            MetricName=f"metric-{number}",
            Namespace="planted",
            Period=60,
            EvaluationPeriods=1,
            Threshold=1,
            Statistic="Sum",
            ComparisonOperator="GreaterThanOrEqualToThreshold",
        )
        key = arn("cloudwatch", region, f"alarm:{name}")
        planted.add("CLOUDWATCH", region, key, AlarmName=name, MetricName=f"metric-{number}")
    cloudtrail = planted.client("cloudtrail", region)
    key = cloudtrail.create_trail(Name=f"trail-{region}", S3BucketName="planted-0")["TrailARN"]
    cloudtrail.start_logging(Name=key)
    planted.add("CLOUDTRAIL", region, key, Name=f"trail-{region}", HomeRegion=region)
    planted.add("CLOUDTRAIL_GET_TRAIL_STATUS", region, key, IsLogging=True)
    planted.add("CLOUDTRAIL_GET_EVENT_SELECTORS", region, key)


def topics(planted: Planted, region: str):
    sns = planted.client("sns", region)
    for number in range(10):
        key = sns.create_topic(Name=f"topic-{number}")["TopicArn"]
        planted.add("SNS_TOPICS", region, key, TopicArn=key)
        planted.add("SNS_GET_TOPIC_ATTRIBUTES", region, key)
        endpoint = f"https://user:canary@planted.example/{number}"
        subscription = sns.subscribe(TopicArn=key, Protocol="https", Endpoint=endpoint, ReturnSubscriptionArn=True)
        stored = endpoint.replace("user:canary", "[redacted]")
        row = f"{key} https {stored} {subscription['SubscriptionArn']}"
        planted.add("SNS_SUBSCRIPTIONS", region, row, Endpoint=stored, TopicArn=key)


def detection(planted: Planted, region: str, role: str):
    config = planted.client("config", region)
    recorder = {"name": "default", "roleARN": role, "recordingGroup": {"allSupported": True}}
    config.put_configuration_recorder(ConfigurationRecorder=recorder)
    key = arn("config", region, "configuration-recorder/default")
    planted.add("CONFIG_CONFIGURATION_RECORDERS", region, key, name="default", roleARN=role)
    planted.add("CONFIG_CONFIGURATION_RECORDERS_STATUS", region, key, name="default", recording=False)
    detector = planted.client("guardduty", region).create_detector(Enable=True)["DetectorId"]
    key = arn("guardduty", region, f"detector/{detector}")
    planted.add("GUARDDUTY_DETECTORS", region, key, Name=detector)
    planted.add("GUARDDUTY_GET_DETECTOR", region, key, Status="ENABLED")
    planted.client("securityhub", region).enable_security_hub()
    hub = arn("securityhub", region, "hub/default")
    planted.add("SECURITYHUB_DESCRIBE_HUB", region, f"123456789012/{region}", HubArn=hub)
