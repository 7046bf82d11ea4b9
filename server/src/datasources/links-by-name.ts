import { type Link, sameAwsResource, sameColumn } from './links.ts';

/** These return several rows per resource, contrary to their names. */
const multiRowDetails = new Set([
  'LW_CFG_AWS_ELBV2_DESCRIBE_LISTENERS',
  'LW_CFG_AWS_ELB_DESCRIBE_POLICIES',
  'LW_CFG_AWS_IAM_ROLES_GET_POLICY',
  'LW_CFG_AWS_IAM_USERS_GET_POLICY',
  'LW_CFG_AWS_LOGS_DESCRIBE_METRIC_FILTERS',
]);

/**
 * Relates datasources to those with details of their resources, by name: `…_S3` to `…_S3_GET_BUCKET_ACL`,
 * `…_EKS_ADDONS` to `…_EKS_DESCRIBE_ADDON`, and any resource to its `…_IAMPOLICY`.
 */
export function* linksByName(names: Iterable<string>): Iterable<Link> {
  const known = new Set(names);
  for (const name of known) {
    const base = candidatesFor(name).find((candidate) => candidate !== name && known.has(candidate));
    if (base) yield linkBetween(base, name);
  }
}

function linkBetween(from: string, to: string): Link {
  const isMany = callIn(to)?.verb === 'LIST' || multiRowDetails.has(to);
  return {
    from,
    to,
    cardinality: [isMany ? 'MANY' : 'ONE', 'ONE'],
    subject: 'resource',
    on: to.startsWith('LW_CFG_AWS_') ? sameAwsResource : [sameColumn('URN')],
  };
}

/** The API call in the last words of a name. */
function callIn(name: string): { before: string; verb: string; subject: string } | undefined {
  const [, before = '', verb = '', subject = ''] =
    /^(LW_CFG_AWS_.+)_(GET|DESCRIBE|LIST)_(.+)$/.exec(name) ?? [];
  return verb ? { before, verb, subject } : undefined;
}

/** Possible names of the base datasource, most likely first. */
function candidatesFor(name: string): string[] {
  if (name.startsWith('LW_CFG_GCP_')) {
    return name.endsWith('_IAMPOLICY') ? [name.slice(0, -'_IAMPOLICY'.length)] : [];
  }
  const call = callIn(name);
  if (!call) return [];
  const { before, subject } = call;
  const words = subject.split('_');
  const subjects = words.map((_, index) => words.slice(0, words.length - index).join('_'));
  return [before, ...subjects.flatMap((one) => pluralsOf(one).map((plural) => `${before}_${plural}`))];
}

function pluralsOf(word: string): string[] {
  return [`${word}S`, word.replace(/Y$/, 'IES'), `${word}ES`];
}
