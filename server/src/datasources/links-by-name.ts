import { type Link, same, sameAwsResource } from './links.ts';

/** These answer with several things, though their names do not say so. */
const several = new Set([
  'LW_CFG_AWS_ELBV2_DESCRIBE_LISTENERS',
  'LW_CFG_AWS_ELB_DESCRIBE_POLICIES',
  'LW_CFG_AWS_IAM_ROLES_GET_POLICY',
  'LW_CFG_AWS_IAM_USERS_GET_POLICY',
  'LW_CFG_AWS_LOGS_DESCRIBE_METRIC_FILTERS',
]);

/**
 * Datasources that tell more about the resources of another, by their names: `…_S3` lists what `…_S3_GET_BUCKET_ACL` is
 * asked about, `…_EKS_ADDONS` what `…_EKS_DESCRIBE_ADDON` is, and `…_IAMPOLICY` is about what stands before it.
 */
export function* linksByName(names: Iterable<string>): Iterable<Link> {
  const known = new Set(names);
  for (const name of known) {
    const base = candidatesFor(name).find((candidate) => candidate !== name && known.has(candidate));
    if (base) yield linkBetween(base, name);
  }
}

function linkBetween(from: string, to: string): Link {
  const isMany = callIn(to)?.verb === 'LIST' || several.has(to);
  return {
    from,
    to,
    cardinality: [isMany ? 'MANY' : 'ONE', 'ONE'],
    about: 'resource',
    on: to.startsWith('LW_CFG_AWS_') ? sameAwsResource : [same('URN')],
  };
}

/** What is asked by the last words of a name. */
function callIn(name: string): { before: string; verb: string; subject: string } | undefined {
  const [, before = '', verb = '', subject = ''] =
    /^(LW_CFG_AWS_.+)_(GET|DESCRIBE|LIST)_(.+)$/.exec(name) ?? [];
  return verb ? { before, verb, subject } : undefined;
}

/** Names that a base may have, the likeliest first. */
function candidatesFor(name: string): string[] {
  if (name.startsWith('LW_CFG_GCP_')) {
    return name.endsWith('_IAMPOLICY') ? [name.slice(0, -'_IAMPOLICY'.length)] : [];
  }
  const call = callIn(name);
  if (!call) return [];
  const { before, subject } = call;
  const words = subject.split('_');
  const subjects = words.map((_, index) => words.slice(0, words.length - index).join('_'));
  return [before, ...subjects.flatMap((one) => pluralsOf(one).map((several) => `${before}_${several}`))];
}

function pluralsOf(word: string): string[] {
  return [`${word}S`, word.replace(/Y$/, 'IES'), `${word}ES`];
}
