"""EC2, load balancers and what needs a network."""

from inventory.planted import Planted, arn


def plant(planted: Planted, region: str):
    ec2 = planted.client("ec2", region)
    vpc, subnets = vpcs(planted, ec2, region)
    groups(planted, ec2, region, vpc)
    volumes(planted, ec2, region)
    instances(planted, ec2, region, subnets[0])
    gateways(planted, ec2, region, vpc, subnets)
    settings(planted, ec2, region)
    load_balancers(planted, region, vpc, subnets)
    return vpc, subnets


def of(planted: Planted, region: str, kind: str, type: str, id: str, **config):
    planted.add(f"EC2_{kind}", region, arn("ec2", region, f"{type}/{id}"), **config)


def vpcs(planted: Planted, ec2, region: str):
    ids = []
    for number in (1, 2):
        vpc = ec2.create_vpc(CidrBlock=f"10.{number}.0.0/16")["Vpc"]["VpcId"]
        ids.append(vpc)
        of(planted, region, "VPCS", "vpc", vpc, CidrBlock=f"10.{number}.0.0/16", IsDefault=False)
        mine = [{"Name": "vpc-id", "Values": [vpc]}]
        group = ec2.describe_security_groups(Filters=mine)["SecurityGroups"][0]["GroupId"]
        of(planted, region, "SECURITY_GROUPS", "security-group", group, GroupName="default", VpcId=vpc)
        acl = ec2.describe_network_acls(Filters=mine)["NetworkAcls"][0]["NetworkAclId"]
        of(planted, region, "NETWORK_ACLS", "network-acl", acl, IsDefault=True, VpcId=vpc)
        table = ec2.describe_route_tables(Filters=mine)["RouteTables"][0]["RouteTableId"]
        of(planted, region, "ROUTE_TABLES", "route-table", table, VpcId=vpc)
    subnets = []
    for number, zone in enumerate("ab"):
        block = f"10.1.{number}.0/24"
        created = ec2.create_subnet(VpcId=ids[0], CidrBlock=block, AvailabilityZone=region + zone)
        subnets.append(created["Subnet"]["SubnetId"])
        of(planted, region, "SUBNETS", "subnet", subnets[-1], CidrBlock=block, MapPublicIpOnLaunch=False)
    peering = ec2.create_vpc_peering_connection(VpcId=ids[0], PeerVpcId=ids[1])["VpcPeeringConnection"]
    id = peering["VpcPeeringConnectionId"]
    of(planted, region, "VPC_PEERING_CONNECTIONS", "vpc-peering-connection", id)
    return ids[0], subnets


def groups(planted: Planted, ec2, region: str, vpc: str):
    for number in range(25):
        name = f"group-{number}"
        id = ec2.create_security_group(GroupName=name, Description=name, VpcId=vpc)["GroupId"]
        port = 1_000 + number
        permission = {"IpProtocol": "tcp", "FromPort": port, "ToPort": port}
        open_to = {**permission, "IpRanges": [{"CidrIp": "0.0.0.0/0"}]}
        ec2.authorize_security_group_ingress(GroupId=id, IpPermissions=[open_to])
        of(planted, region, "SECURITY_GROUPS", "security-group", id, GroupName=name, IpPermissions=[open_to])


def volumes(planted: Planted, ec2, region: str):
    for number in range(25):
        is_encrypted = number % 2 == 0
        created = ec2.create_volume(AvailabilityZone=region + "a", Size=number + 1, Encrypted=is_encrypted)
        of(planted, region, "VOLUMES", "volume", created["VolumeId"], Size=number + 1, Encrypted=is_encrypted)
        if number >= 5:
            continue
        id = ec2.create_snapshot(VolumeId=created["VolumeId"])["SnapshotId"]
        key = arn("ec2", region, f"snapshot/{id}", "")
        planted.add("EC2_SNAPSHOTS", region, key, VolumeId=created["VolumeId"], Encrypted=is_encrypted)
        shared = [{"Group": "all"}] if number == 0 else []
        if shared:
            ec2.modify_snapshot_attribute(
                SnapshotId=id,
                Attribute="createVolumePermission",
                OperationType="add",
                GroupNames=["all"],
            )
        planted.add("EC2_SNAPSHOTS_DESCRIBE_ATTRIBUTES", region, key, CreateVolumePermissions=shared)


def instances(planted: Planted, ec2, region: str, subnet: str):
    image = ec2.register_image(Name="image", RootDeviceName="/dev/sda1")["ImageId"]
    planted.add("EC2_IMAGES", region, arn("ec2", region, f"image/{image}", ""), Name="image", Public=False)
    for device in ec2.describe_images(ImageIds=[image])["Images"][0]["BlockDeviceMappings"]:
        snapshot = arn("ec2", region, f"snapshot/{device['Ebs']['SnapshotId']}", "")
        planted.add("EC2_SNAPSHOTS", region, snapshot)
        planted.add("EC2_SNAPSHOTS_DESCRIBE_ATTRIBUTES", region, snapshot)
    created = ec2.run_instances(ImageId=image, MinCount=3, MaxCount=3, SubnetId=subnet)["Instances"]
    for number, instance in enumerate(created):
        id = instance["InstanceId"]
        ec2.create_tags(Resources=[id], Tags=[{"Key": "Name", "Value": f"web-{number}"}])
        of(planted, region, "INSTANCES", "instance", id, SubnetId=subnet, ImageId=image)
    ids = [instance["InstanceId"] for instance in created]
    for reservation in ec2.describe_instances(InstanceIds=ids)["Reservations"]:
        for instance in reservation["Instances"]:
            for device in instance["BlockDeviceMappings"]:
                of(planted, region, "VOLUMES", "volume", device["Ebs"]["VolumeId"])
            for interface in instance["NetworkInterfaces"]:
                of(planted, region, "NETWORK_INTERFACES", "network-interface", interface["NetworkInterfaceId"])


def gateways(planted: Planted, ec2, region: str, vpc: str, subnets: list[str]):
    for _ in range(3):
        id = ec2.create_network_interface(SubnetId=subnets[1])["NetworkInterface"]["NetworkInterfaceId"]
        of(planted, region, "NETWORK_INTERFACES", "network-interface", id, SubnetId=subnets[1])
        address = ec2.allocate_address(Domain="vpc")
        id = address["AllocationId"]
        of(planted, region, "ADDRESSES", "elastic-ip", id, PublicIp=address["PublicIp"])
    id = ec2.create_network_acl(VpcId=vpc)["NetworkAcl"]["NetworkAclId"]
    of(planted, region, "NETWORK_ACLS", "network-acl", id, IsDefault=False)
    id = ec2.create_route_table(VpcId=vpc)["RouteTable"]["RouteTableId"]
    of(planted, region, "ROUTE_TABLES", "route-table", id, VpcId=vpc)
    service = f"com.amazonaws.{region}.s3"
    id = ec2.create_vpc_endpoint(VpcId=vpc, ServiceName=service)["VpcEndpoint"]["VpcEndpointId"]
    of(planted, region, "VPC_ENDPOINTS", "vpc-endpoint", id, ServiceName=service)
    flow_log = ec2.create_flow_logs(
        ResourceIds=[vpc],
        ResourceType="VPC",
        TrafficType="REJECT",
        LogDestinationType="s3",
        LogDestination="arn:aws:s3:::planted-0",
    )["FlowLogIds"][0]
    of(planted, region, "VPC_FLOW_LOGS", "vpc-flow-log", flow_log, ResourceId=vpc, TrafficType="REJECT")
    id = ec2.create_transit_gateway(Description="planted")["TransitGateway"]["TransitGatewayId"]
    of(planted, region, "TRANSIT_GATEWAYS", "transit-gateway", id, Description="planted")


def settings(planted: Planted, ec2, region: str):
    ec2.enable_ebs_encryption_by_default()
    planted.add(
        "EC2_EBS_ENCRYPTION_BY_DEFAULT", region, f"123456789012/{region}", EbsEncryptionByDefault=True
    )
    data = {"UserData": "c2VjcmV0", "NetworkInterfaces": [{"DeviceIndex": 0, "AssociatePublicIpAddress": True}]}
    created = ec2.create_launch_template(LaunchTemplateName="planted", LaunchTemplateData=data)
    id = created["LaunchTemplate"]["LaunchTemplateId"]
    of(planted, region, "LAUNCH_TEMPLATES", "launch-template", id, LaunchTemplateName="planted")
    stored = {**data, "UserData": "[redacted]"}
    planted.add("EC2_LAUNCH_TEMPLATE_VERSIONS", region, f"{id}/1", LaunchTemplateData=stored)


def load_balancers(planted: Planted, region: str, vpc: str, subnets: list[str]):
    elb = planted.client("elb", region)
    listener = {"Protocol": "http", "LoadBalancerPort": 80, "InstancePort": 80}
    elb.create_load_balancer(LoadBalancerName="classic", Listeners=[listener], Subnets=subnets)
    key = arn("elasticloadbalancing", region, "loadbalancer/classic")
    planted.add("ELB", region, key, LoadBalancerName="classic")
    planted.add("ELB_DESCRIBE_LOAD_BALANCER_ATTRIBUTES", region, key, AccessLog={"Enabled": False})
    elb.create_lb_cookie_stickiness_policy(LoadBalancerName="classic", PolicyName="sticky")
    planted.add("ELB_DESCRIBE_POLICIES", region, f"{key}/policy/sticky", PolicyName="sticky")
    mine = elb.describe_load_balancers()["LoadBalancerDescriptions"][0]["SecurityGroups"]
    for id in mine:
        of(planted, region, "SECURITY_GROUPS", "security-group", id)

    elbv2 = planted.client("elbv2", region)
    balancer = elbv2.create_load_balancer(Name="modern", Subnets=subnets)["LoadBalancers"][0]["LoadBalancerArn"]
    planted.add("ELBV2", region, balancer, LoadBalancerName="modern", Type="application")
    planted.add("ELBV2_DESCRIBE_ATTRIBUTES", region, balancer)
    target = elbv2.create_target_group(Name="targets", Protocol="HTTP", Port=80, VpcId=vpc)
    forward = {"Type": "forward", "TargetGroupArn": target["TargetGroups"][0]["TargetGroupArn"]}
    key = elbv2.create_listener(LoadBalancerArn=balancer, Protocol="HTTP", Port=80, DefaultActions=[forward])
    planted.add("ELBV2_DESCRIBE_LISTENERS", region, key["Listeners"][0]["ListenerArn"], Protocol="HTTP", Port=80)
