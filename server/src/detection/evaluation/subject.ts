import type { ParsedQuery } from '../../querying/read-query.ts';
import type { ServedDatasource } from '../../telemetry/served-datasource.ts';

/** The classification of a policy by the first datasource of its query. */
export interface Subject {
  readonly datasource: string;
  /** Paths of the datasets that are evaluated as records arrive; empty for a state. */
  readonly streams: readonly string[];
  /** Paths of the datasets reported by hosts that are evaluated as a state. */
  readonly reported: readonly string[];
  /** True for the current inventory of cloud resources, false for recent host reports. */
  readonly isInventory: boolean;
  /** As in alert rules. */
  readonly subCategory: string;
  readonly source: string;
  /** `srcType` of its evidence in Events. */
  readonly evidence: string;
}

type Kind = Pick<Subject, 'subCategory' | 'source' | 'evidence'>;

const kind = (subCategory: string, source: string, evidence: string): Kind => ({
  subCategory,
  source,
  evidence,
});

const kinds: readonly (readonly [datasource: RegExp, kind: Kind])[] = [
  [/^CloudTrailRawEvents$/, kind('Cloud Activity', 'AWS', 'AwsResource')],
  [/^LW_ACT_AWS_/, kind('Cloud Activity', 'AWS', 'AwsResource')],
  [/^LW_ACT_GCP_/, kind('Cloud Activity', 'GCP', 'GcpResource')],
  [/^LW_ACT_AZURE_/, kind('Cloud Activity', 'Azure', 'AzureResource')],
  [/^LW_ACT_OCI_/, kind('Cloud Activity', 'OCI', 'OciResource')],
  [/^LW_ACT_K8S_/, kind('Kubernetes Activity', 'K8s', 'K8sResource')],
  [/^LW_CFG_AWS(?:_|$)|^LW_CE_/, kind('Compliance', 'AWS', 'AwsResource')],
  [/^LW_CFG_AZURE(?:_|$)/, kind('Compliance', 'Azure', 'AzureResource')],
  [/^LW_CFG_GCP(?:_|$)/, kind('Compliance', 'GCP', 'GcpResource')],
  [/^LW_CFG_OCI(?:_|$)/, kind('Compliance', 'OCI', 'OciResource')],
  [/^LW_CFG_K8S(?:_|$)/, kind('Compliance', 'K8s', 'K8sResource')],
  [/^LW_H[AE]_SYSCALLS_/, kind('SystemCall', 'Agent', 'Process')],
  [/^LW_(?:HE_FILES|HA_FILE_CHANGES|HA_WIN_REGISTRY)/, kind('File', 'Agent', 'File')],
  [/^LW_HE_SECRETS/, kind('File', 'Agent', 'File')],
  [/_(?:USERS|USER_LOGINS|SSH_LOGINS)$|_SSH_AUTHORIZED_KEYS/, kind('User', 'Agent', 'User')],
  [/^LW_H[AE]_(?:PROCESSES|CONTAINERS|IMAGES|PACKAGES)/, kind('Application', 'Agent', 'Process')],
  [/^LW_HA_(?:DNS|CONNECTION)/, kind('Application', 'Agent', 'Connection')],
  [/^LW_H[AE]_/, kind('Machine', 'Agent', 'Machine')],
];
const unknownKind = kind('Platform', '', 'Resource');

export function subjectOf({ query: { blocks } }: Pick<ParsedQuery, 'query'>): Subject {
  const roots = blocks.flatMap(({ sources: [root] }) =>
    root?.kind === 'table' ? [root.datasource as ServedDatasource] : [],
  );
  const datasource = roots[0]?.name ?? '';
  const followed = roots.flatMap(({ name, origin }) =>
    isActivity(name) && origin.from === 'telemetry' ? [origin.dataset.path] : [],
  );
  // A mix is evaluated as a state: not all its rows have batch sequence numbers.
  const isStream = followed.length === roots.length;
  const reported = roots.flatMap(({ origin }) => (origin.from === 'telemetry' ? [origin.dataset.path] : []));
  return {
    datasource,
    streams: isStream ? [...new Set(followed)] : [],
    reported: isStream ? [] : [...new Set(reported)],
    isInventory: roots.length > 0 && roots.every(({ origin }) => origin.from === 'resources'),
    ...(kinds.find(([name]) => name.test(datasource))?.[1] ?? unknownKind),
  };
}

/** The value of the `followed` column; null without streams. */
export function followedIn({ streams }: Pick<Subject, 'streams'>): string | null {
  return streams.length > 0 ? streams.join(' ') : null;
}

function isActivity(name: string): boolean {
  return name === 'CloudTrailRawEvents' || /^LW_(?:ACT|HA)_/.test(name);
}
