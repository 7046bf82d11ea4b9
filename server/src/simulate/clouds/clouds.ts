import type { Company } from '../company/company.ts';
import { millisecondsPerHour } from '../hour.ts';
import { SimulatedAwsApi } from './aws/api.ts';
import { ec2Objects } from './aws/ec2.ts';
import { iamObjects } from './aws/iam.ts';
import { auditObjects, s3Objects } from './aws/s3.ts';
import { eksObjects, serverlessObjects } from './aws/workloads.ts';
import { azureRows } from './azure.ts';
import type { CloudObject } from './cloud-object.ts';
import { gcpAssets } from './gcp.ts';
import { clusterObjects } from './k8s.ts';
import { type PlantedCloud, plantedMisconfigurations, withPlanted } from './planted.ts';

const day = 24 * millisecondsPerHour;
/** Collections begin at three in the morning. */
const startHour = 3;

/** What the company's clouds hold on one day, in the forms of the providers. */
export interface CloudState {
  readonly aws: SimulatedAwsApi;
  /** Lines of an export of Cloud Asset Inventory. */
  readonly assets: readonly unknown[];
  /** Rows of Azure Resource Graph. */
  readonly rows: readonly unknown[];
  /** Objects of the cluster. */
  readonly objects: readonly unknown[];
}

/** Deterministic by day, so that a simulation continues where an earlier one ended. */
export function cloudsAt(company: Company, instant: number, planted = plantedMisconfigurations): CloudState {
  const today = Math.floor(instant / day) * day;
  const valuesOf = (cloud: PlantedCloud, objects: Iterable<CloudObject>) =>
    withPlanted(cloud, company, [...objects], planted).map(({ value }) => value);
  const aws = [
    ...iamObjects(company, today),
    ...s3Objects(company),
    ...auditObjects(company),
    ...ec2Objects(company, today),
    ...serverlessObjects(company, today),
    ...eksObjects(company),
  ];
  return {
    aws: new SimulatedAwsApi(withPlanted('aws', company, aws, planted)),
    assets: valuesOf('gcp', gcpAssets(company, today)),
    rows: valuesOf('azure', azureRows(company, today)),
    objects: valuesOf('k8s', clusterObjects(company)),
  };
}

/** When the clouds are collected: once in each of the days before the end, oldest first. */
export function collectionTimes(end: number, days: number): number[] {
  const today = Math.floor(end / day) * day + startHour * millisecondsPerHour;
  const last = today < end ? today : today - day;
  return Array.from({ length: days }, (_, index) => last - (days - 1 - index) * day);
}
