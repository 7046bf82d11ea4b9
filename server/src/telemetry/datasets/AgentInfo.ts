import type { TelemetryDataset } from '../dataset.ts';
import { mid, tags } from '../members.ts';

export const agentInfo: TelemetryDataset = {
  path: 'AgentInfo',
  description: 'Agents and their last reported status.',
  members: {
    createdTime: { type: 'time', description: 'When the agent was first seen.' },
    lastUpdate: { type: 'time', description: 'When the agent last reported.' },
    ...mid,
    agentVersion: { type: 'string', description: 'Version of the agent.' },
    hostname: { type: 'string', description: 'Name of its host.' },
    ipAddr: { type: 'string', description: 'Private address of its host.' },
    mode: { type: 'string', description: 'Collection mode: normal or ebpf.' },
    os: { type: 'string', description: 'Operating system: Linux or Windows.' },
    status: { type: 'string', values: ['ACTIVE', 'INACTIVE'], description: 'ACTIVE or INACTIVE.' },
    tags: { ...tags.tags, optional: true },
  },
  range: { by: 'instant', member: 'lastUpdate' },
  identity: ['mid'],
  search: { isPaged: true, newestPer: 'mid' },
  datasources: [],
};
