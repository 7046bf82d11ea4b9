import type { Company } from '../company/company.ts';
import { millisecondsPerHour } from '../hour.ts';
import { SimulatedAwsApi } from './aws/api.ts';
import { ec2Objects } from './aws/ec2.ts';
import { iamObjects } from './aws/iam.ts';
import { monitoringObjects } from './aws/monitoring.ts';
import { auditObjects, s3Objects } from './aws/s3.ts';
import { eksObjects, registryObjects, serverlessObjects } from './aws/workloads.ts';
import { azureObjects } from './azure/resources.ts';
import type { CloudObject } from './cloud-object.ts';
import { gcpAssets } from './gcp/assets.ts';
import { clusterObjects } from './k8s.ts';
import { type PlantedCloud, withPlanted } from './misconfiguration.ts';
import { plantedMisconfigurations } from './planted.ts';

const day = 24 * millisecondsPerHour;
/** Collections begin at three in the morning. */
const startHour = 3;

/** What the company's clouds hold on one day, in the forms of the providers. */
export interface CloudState {
  readonly aws: SimulatedAwsApi;
  /** Assets of Cloud Asset Inventory. */
  readonly gcp: readonly CloudObject[];
  /** Rows of Azure Resource Graph, objects of the management plane and of Microsoft Graph. */
  readonly azure: readonly CloudObject[];
  /** Objects of the cluster. */
  readonly k8s: readonly CloudObject[];
}

/** Deterministic by day, so that a simulation continues where an earlier one ended. */
export function cloudsAt(company: Company, instant: number, planted = plantedMisconfigurations): CloudState {
  const today = Math.floor(instant / day) * day;
  const objectsOf = (cloud: PlantedCloud, objects: Iterable<CloudObject>) =>
    withPlanted(cloud, company, [...objects], planted);
  const aws = [
    ...iamObjects(company, today),
    ...s3Objects(company),
    ...auditObjects(company, today),
    ...monitoringObjects(company),
    ...ec2Objects(company, today),
    ...serverlessObjects(company, today),
    ...eksObjects(company),
    ...registryObjects(company),
  ];
  return {
    aws: new SimulatedAwsApi(objectsOf('aws', aws)),
    gcp: objectsOf('gcp', gcpAssets(company, today)),
    azure: objectsOf('azure', azureObjects(company, today)),
    k8s: objectsOf('k8s', clusterObjects(company)),
  };
}

/** When the clouds are collected: once in each of the days before the end, oldest first. */
export function collectionTimes(end: number, days: number): number[] {
  const today = Math.floor(end / day) * day + startHour * millisecondsPerHour;
  const last = today < end ? today : today - day;
  return Array.from({ length: days }, (_, index) => last - (days - 1 - index) * day);
}
