import type { TelemetryDataset } from '../dataset.ts';
import { mid, tags } from '../members.ts';

const [active, inactive] = ['ACTIVE', 'INACTIVE'];

export const agentInfo: TelemetryDataset = {
  path: 'AgentInfo',
  description: 'Agents: version, host and whether they report.',
  members: {
    createdTime: { type: 'time', description: 'When the agent was first seen, as far as retention reaches.' },
    lastUpdate: { type: 'time', description: 'When the agent last reported.' },
    ...mid,
    agentVersion: { type: 'string', description: 'Version of the agent.' },
    hostname: { type: 'string', description: 'Name of its host.' },
    ipAddr: { type: 'string', description: 'Private address of its host.' },
    mode: { type: 'string', description: 'Collection mode: normal or ebpf.' },
    os: { type: 'string', description: 'Operating system: Linux or Windows.' },
    status: {
      type: 'string',
      values: [active, inactive],
      optional: true,
      description: 'ACTIVE or INACTIVE, computed from lastUpdate; a reported value is ignored.',
    },
    tags: { ...tags.tags, optional: true },
  },
  range: { by: 'instant', member: 'lastUpdate' },
  identity: ['mid'],
  search: {
    isPaged: true,
    newestPer: 'mid',
    earliest: 'createdTime',
    activity: { member: 'status', within: 10 * 60_000, active, inactive },
  },
  datasources: [],
};
