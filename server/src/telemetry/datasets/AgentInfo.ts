import type { TelemetryDataset } from '../dataset.ts';
import { mid, tags } from '../members.ts';

export const agentInfo: TelemetryDataset = {
  path: 'AgentInfo',
  description: 'The agents and what they last said of themselves.',
  members: {
    createdTime: { type: 'time', description: 'When the agent was first seen.' },
    lastUpdate: { type: 'time', description: 'When the agent was last heard of.' },
    ...mid,
    agentVersion: { type: 'string', description: 'Version of the agent.' },
    hostname: { type: 'string', description: 'Name of its machine.' },
    ipAddr: { type: 'string', description: 'Private address of its machine.' },
    mode: { type: 'string', description: 'How it watches: normal or ebpf.' },
    os: { type: 'string', description: 'Operating system: Linux or Windows.' },
    status: { type: 'string', description: 'ACTIVE or INACTIVE.' },
    tags: { ...tags.tags, optional: true },
  },
  range: { by: 'instant', member: 'lastUpdate' },
  identity: ['mid'],
  search: { isPaged: true, newestPer: 'mid' },
  datasources: [],
};
