import type { ServedDatasource } from '../telemetry/served-datasource.ts';
import { columnTable } from './column-table.ts';
import type { Section } from './section.ts';

const name = 'LW_COLLECTION_SCOPES';

const columns = columnTable(
  ['BATCH_START_TIME', 'Timestamp', 'Start of the last attempt.'],
  ['BATCH_END_TIME', 'Timestamp', 'End of the last attempt.'],
  [
    'COLLECTED_TIME',
    'Timestamp',
    'Start of the last collection that replaced the stored resources; null if there was none.',
  ],
  ['CSP', 'String', 'Cloud provider: AWS, Azure, GCP, K8s, OCI.'],
  ['CLOUD_ACCOUNT', 'String', 'AWS account, subscription, project, organization or cluster.'],
  ['REGION', 'String', 'Region that was asked; aws-global or global for kinds without regions.'],
  ['DATASOURCE', 'String', 'Datasource of the kind: LW_CFG_AWS_EC2_INSTANCES.'],
  ['STATUS', 'String', 'Result: collected, empty, denied, failed or not enabled.'],
  ['REASON', 'String', 'Why resources could not be read; empty if they were.'],
  ['RESOURCES', 'Number', 'Resources that the last attempt read.'],
  ['UNREAD', 'Json', 'Resources that exist and could not be read: key, status and reason of each.'],
);

/** What the collections found out: for each kind, region and cloud account the result of the last attempt. */
export class CollectionSection implements Section {
  find(wanted: string): ServedDatasource | undefined {
    if (wanted !== name) return undefined;
    return {
      name,
      description:
        'Collections of cloud resources: the last attempt in the time range for each kind, region and cloud account.',
      columns,
      relationships: [],
      origin: { from: 'collections' },
    };
  }

  names(): Iterable<string> {
    return [name];
  }
}
