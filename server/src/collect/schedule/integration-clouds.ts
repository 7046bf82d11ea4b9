import type { Cloud } from '../inventory/cloud.ts';

/** The integration types whose resources this server collects by itself. */
export const integrationClouds: Readonly<Record<string, Cloud>> = {
  AwsCfg: 'aws',
  AwsUsGovCfg: 'aws',
  AzureCfg: 'azure',
  GcpCfg: 'gcp',
};
export const collectedTypes = Object.keys(integrationClouds);
