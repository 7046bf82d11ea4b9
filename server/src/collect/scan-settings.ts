import { Type } from 'typebox';
import { anyString } from '../integrations/members.ts';

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

/** Settings of agentless scans; clients always send all of them. */
export const scanSettings = {
  scanFrequency: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 10_000, description: 'Hours between scans.' }),
  ),
  scanContainers: flag('Whether containers are scanned.'),
  scanHostVulnerabilities: flag('Whether hosts are scanned.'),
  scanMultiVolume: flag('Whether secondary volumes are scanned.'),
  scanStoppedInstances: flag('Whether stopped hosts are scanned.'),
  queryText: Type.Optional(anyString('Query that selects the hosts to scan.', 20_000)),
};
