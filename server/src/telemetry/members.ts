import type { InnerMember, Member } from './dataset.ts';

/** The hour that a record covers. */
export const window = {
  startTime: { type: 'time', description: 'Start of the hour.' },
  endTime: { type: 'time', description: 'End of the hour.' },
} as const satisfies Record<string, Member>;

export const createdTime = {
  createdTime: { type: 'time', description: 'When it was recorded.' },
} as const satisfies Record<string, Member>;

export const mid = {
  mid: { type: 'integer', description: 'The host.' },
} as const satisfies Record<string, Member>;

/** Unknown values are empty strings or NOT_AVAILABLE. Other tags are stored and searchable too. */
export const machineTags = {
  Hostname: { type: 'string', description: 'Name of the host.' },
  ExternalIp: { type: 'string', description: 'Public address; empty if there is none.' },
  InternalIp: { type: 'string', description: 'Private address.' },
  InstanceId: { type: 'string', description: 'Instance id of the host in the cloud.' },
  InstanceName: { type: 'string', description: 'Name of the host in the cloud.' },
  VmInstanceType: { type: 'string', description: 'Size of the host in the cloud: t3.large.' },
  VmProvider: { type: 'string', description: 'AWS, GCE, Azure, Microsoft.Compute or HV.' },
  Zone: { type: 'string', description: 'Availability zone.' },
  LwTokenShort: { type: 'string', description: 'First characters of the agent access token.' },
  arch: { type: 'string', description: 'Architecture: amd64 or arm64.' },
  os: { type: 'string', description: 'Operating system: linux or windows.' },
  Name: { type: 'string', description: 'Display name.' },
  Env: { type: 'string', description: 'Environment: production, test.' },
  Cluster: { type: 'string', description: 'Cluster that it belongs to.' },
  KubernetesCluster: { type: 'string', description: 'Kubernetes cluster that it belongs to.' },
  lw_KubernetesCluster: { type: 'string', description: 'Kubernetes cluster detected by the agent.' },
  lw_InternetExposure: {
    type: 'string',
    description: 'Whether the internet reaches it: Yes, No or Unknown.',
  },
  Account: { type: 'string', description: 'AWS account.' },
  AmiId: { type: 'string', description: 'AWS image.' },
  SubnetId: { type: 'string', description: 'AWS subnet.' },
  VpcId: { type: 'string', description: 'AWS virtual network.' },
  ProjectId: { type: 'string', description: 'Google Cloud project.' },
  NumericProjectId: { type: 'string', description: 'Number of the Google Cloud project.' },
} as const satisfies Record<string, InnerMember>;

export const tags = {
  tags: { type: 'json', description: 'Tags of the host.', inner: machineTags },
} as const satisfies Record<string, Member>;

/** For Containers, and in K8sPods for the container of the pod. */
export const propsContainer = {
  propsContainer: {
    type: 'json',
    description: 'Properties of the container and its image.',
    inner: {
      IMAGE_ID: { type: 'string', description: 'Id of the image.' },
      IMAGE_REPO: { type: 'string', description: 'Repository of the image, with its registry.' },
      IMAGE_TAG: { type: 'string', description: 'Tag of the image.' },
      IMAGE_VERSION: { type: 'string', description: 'Version of the image.' },
      IMAGE_AUTHOR: { type: 'string', description: 'Author of the image.' },
      IMAGE_PARENT_ID: { type: 'string', description: 'Image that it was created from.' },
      IMAGE_CREATED_TIME: {
        type: 'string',
        description: 'When the image was created: RFC 3339 or epoch ms.',
      },
      IMAGE_SIZE: { type: 'integer', description: 'Bytes of the image itself.' },
      IMAGE_VIRTUAL_SIZE: { type: 'integer', description: 'Bytes of the image including shared layers.' },
      CONTAINER_START_TIME: { type: 'string', description: 'When it was started: RFC 3339 or epoch ms.' },
      CONTAINER_TYPE: { type: 'string', description: 'Container runtime: DOCKER.' },
      NAME: { type: 'string', description: 'Name of the container.' },
      IPV4: { type: 'string', description: 'Its IPv4 address.' },
      IPV6: { type: 'string', description: 'Its IPv6 address.' },
      POD_IP_ADDR: { type: 'string', description: 'Address of its pod.' },
      POD_TYPE: { type: 'string', description: 'Type of the pod.' },
      NETWORK_MODE: { type: 'string', description: 'Network namespace: None or Host.' },
      PID_MODE: { type: 'string', description: 'PID namespace: Private or Host.' },
      PRIVILEGED: { type: 'integer', description: '1 if it runs privileged, otherwise 0.' },
      PROPS_LABEL: { type: 'json', description: 'Its labels.' },
      PROPS_ENV: { type: 'json', description: 'Its environment variables.' },
      VOLUME_MAP: { type: 'json', description: 'Where its volumes are mounted.' },
      LISTEN_PORT_MAP: { type: 'json', description: 'Ports on which it listens.' },
    },
  },
} as const satisfies Record<string, Member>;

/** The container of an entity; absent outside of containers. */
export const container = {
  isInContainer: { type: 'boolean', description: 'Whether it is in a container.', optional: true },
  containerKey: { type: 'json', description: 'Key of its container.', optional: true },
} as const satisfies Record<string, Member>;

/** A file with SSH keys, and one of the keys. */
export const keyFile = {
  filePermissions: { type: 'integer', description: 'Mode of the file, as a number.', optional: true },
  fileCreatedTime: { type: 'time', description: 'When the file was created.', optional: true },
  fileModifiedTime: { type: 'time', description: 'When its content last changed.', optional: true },
  fileAccessedTime: { type: 'time', description: 'When it was last read.', optional: true },
  ownerUid: { type: 'integer', description: 'Id of the owner.', optional: true },
  ownerGid: { type: 'integer', description: 'Id of the group.', optional: true },
  fingerprintOpensshMd5: { type: 'string', description: 'MD5 fingerprint of the key.', optional: true },
  fingerprintOpensshSha256: {
    type: 'string',
    description: 'SHA-256 fingerprint of the key.',
    optional: true,
  },
  fingerprintRsaMd5: {
    type: 'string',
    description: 'MD5 fingerprint of an RSA key in the format of AWS.',
    optional: true,
  },
} as const satisfies Record<string, Member>;

/** The process of a system call, as observed in the kernel. */
export const systemCall = {
  ...createdTime,
  ...mid,
  pid: { type: 'integer', description: 'Process that made the call.' },
  pidHash: { type: 'integer', description: 'Key of the process on the host.', optional: true },
  ppid: { type: 'integer', description: 'Its parent.', optional: true },
  ppidHash: { type: 'integer', description: 'Key of the parent on the host.', optional: true },
  uid: { type: 'integer', description: 'User of the process.', optional: true },
  gid: { type: 'integer', description: 'Group of the process.', optional: true },
  count: { type: 'integer', description: 'Number of occurrences; 1 if absent.', optional: true },
  os: { type: 'string', description: 'Operating system.', optional: true },
} as const satisfies Record<string, Member>;

/** Evidence of the source or destination of an event; the members depend on its kind. */
export const evidence = {
  awsRegion: { type: 'string', description: 'AWS region of the call.' },
  eventName: { type: 'string', description: 'Call that was made.' },
  eventSource: { type: 'string', description: 'Service that was called.' },
  recipientAccountId: { type: 'string', description: 'AWS account that received the call.' },
  sourceIPAddress: { type: 'string', description: 'Address of the caller.' },
  principalId: { type: 'string', description: 'Key of the caller.' },
  username: { type: 'string', description: 'Name of the caller or of the user of the process.' },
  userIdentityAccount: { type: 'string', description: 'AWS account of the caller.' },
  userIdentityName: { type: 'string', description: 'Name in the identity of the caller.' },
  userIdentityType: { type: 'string', description: 'Kind of the caller: IAMUser, AssumedRole, Root.' },
  'userIdentity.accountId': { type: 'string', description: 'AWS account of the identity.' },
  'userIdentity.arn': { type: 'string', description: 'ARN of the identity.' },
  'userIdentity.type': { type: 'string', description: 'Kind of the identity.' },
  is_assumed_role: { type: 'boolean', description: 'Whether the caller had assumed a role.' },
  exe_path: { type: 'string', description: 'Program of the process.' },
  hostname: { type: 'string', description: 'Name of the host.' },
  mid: { type: 'integer', description: 'The host.' },
  pid_hash: { type: 'integer', description: 'Process on the host.' },
  severity: { type: 'integer', description: 'From 1, critical, to 5.' },
  isVuln: {
    type: 'integer',
    description: '1 if the running program has a known vulnerability, otherwise 0.',
  },
} as const satisfies Record<string, InnerMember>;
