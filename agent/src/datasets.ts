/**
 * How the records of a dataset are repeated, and which times they are stamped with. `hour`: one for each entity and hour,
 * with the start and end of the hour. `state`: one for each entity and hour, and another one when it has changed, with the
 * time of the observation. `event`: once, with the time of the observation unless the source gives one. `window`: what
 * happened in a part of an hour, whose start and end the source gives.
 */
export type Repetition = 'hour' | 'state' | 'event' | 'window';

export interface Dataset {
  readonly repeated: Repetition;
  /** The members that identify an entity, without those that are stamped. */
  readonly identity: readonly string[];
  /** Whether its records are not of one host, and so have no `mid`. */
  readonly isShared?: true;
}

/** The datasets that the agent reports, by their path below `/ingest/v1`. */
export const datasets = {
  AgentInfo: { repeated: 'event', identity: [] },
  'Entities/Machines': { repeated: 'hour', identity: [] },
  'Entities/MachineDetails': { repeated: 'state', identity: [] },
  'Entities/Processes': { repeated: 'hour', identity: ['pid', 'processStartTime'] },
  'Entities/Applications': { repeated: 'hour', identity: ['appName', 'exePath', 'username'] },
  'Entities/Packages': { repeated: 'state', identity: ['packageName', 'version', 'arch'] },
  'Entities/Users': { repeated: 'state', identity: ['uid'] },
  'Entities/NetworkInterfaces': { repeated: 'state', identity: ['name', 'ipAddr'] },
  'Entities/InternalIPAddresses': { repeated: 'hour', identity: ['ipAddr'] },
  'Entities/Containers': { repeated: 'hour', identity: ['containerName', 'imageId'] },
  'Entities/Images': { repeated: 'state', identity: ['imageId'] },
  'Entities/K8sPods': { repeated: 'hour', identity: ['podName'] },
  'Entities/Files': { repeated: 'state', identity: ['filePath', 'filedataHash'] },
  'Entities/NewFileHashes': { repeated: 'hour', identity: ['filedataHash'], isShared: true },
  'Activities/ChangedFiles': { repeated: 'hour', identity: ['filePath', 'filedataHash'] },
  'Activities/Connections': {
    repeated: 'window',
    identity: ['srcEntityType', 'srcEntityId', 'dstEntityType', 'dstEntityId'],
    isShared: true,
  },
  'Activities/DNSs': { repeated: 'event', identity: ['fqdn', 'hostIpAddr'] },
  'Activities/UserLogins': { repeated: 'event', identity: ['username', 'activityType', 'activityTime'] },
  LW_HA_SYSCALLS_EXEC: { repeated: 'event', identity: ['pid', 'exePath'] },
  LW_HE_ACCESS_SSH_AUTHORIZED_KEYS: { repeated: 'state', identity: ['filePath', 'fingerprintOpensshSha256'] },
  LW_HE_SECRETS_ALL: { repeated: 'state', identity: ['filePath', 'secretType'] },
} as const satisfies Readonly<Record<string, Dataset>>;

export type DatasetPath = keyof typeof datasets;
