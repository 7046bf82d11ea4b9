/** A value in a sentence, on one line and bounded. Names are untrusted and must not break out of it. */
export function inline(value: unknown, maxLength = 120): string {
  if (value === null || value === undefined || typeof value === 'object') return '';
  const text = String(value)
    .slice(0, 4 * maxLength)
    .replace(/[\p{Control}\s]+/gu, ' ')
    .trim();
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** A quoted command line. */
export function code(value: unknown): string {
  const text = inline(value, 200).replaceAll('`', "'");
  return text === '' ? '' : `\`${text}\``;
}

/** The last segment of an ARN or another path. */
export function lastSegment(value: string): string {
  if (!/^arn:|^projects\/|^organizations\/|^folders\/|^\/\//.test(value)) return value;
  return value.slice(Math.max(value.lastIndexOf('/'), value.lastIndexOf(':')) + 1) || value;
}

/** The words of a name such as `CreateNetworkAclEntry`: `create`, `network`, `ACL`, `entry`. */
export function wordsOf(name: string): string[] {
  const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
  return words.map(displayWord);
}

/** The display spelling of a word: acronyms in capitals. */
export function displayWord(word: string): string {
  const upper = word.toUpperCase();
  return acronyms.has(upper) ? upper : word.toLowerCase();
}

const acronyms = new Set([
  ...[
    'ACL',
    'API',
    'AMI',
    'AWS',
    'CIDR',
    'DB',
    'DHCP',
    'DNS',
    'EBS',
    'EC2',
    'ECR',
    'ECS',
    'EFS',
    'EKS',
    'ELB',
  ],
  ...['EMR', 'IAM', 'IP', 'KMS', 'MFA', 'S3', 'SSM', 'VM', 'WAF'],
  ...['NAT', 'RDS', 'SAML', 'SNS', 'SQS', 'SSH', 'SSL', 'SSO', 'TLS', 'URL', 'VPC', 'VPN'],
]);

const irregular: Readonly<Record<string, string>> = {
  ...{ get: 'read', put: 'set', set: 'set', reset: 'reset', run: 'ran', send: 'sent', leave: 'left' },
  ...{ stop: 'stopped', tag: 'tagged', untag: 'untagged', insert: 'created', submit: 'submitted' },
  ...{ modify: 'modified', copy: 'copied', apply: 'applied', deploy: 'deployed', begin: 'began' },
  ...{
    cut: 'cut',
    read: 'read',
    write: 'wrote',
    patch: 'changed',
    deletecollection: 'deleted',
    open: 'opened',
  },
};
const regular = new Set([
  ...[
    'accept',
    'add',
    'allocate',
    'assign',
    'associate',
    'assume',
    'attach',
    'authorize',
    'cancel',
    'change',
  ],
  ...[
    'confirm',
    'create',
    'deactivate',
    'delete',
    'deregister',
    'describe',
    'detach',
    'disable',
    'disassociate',
  ],
  ...[
    'enable',
    'export',
    'import',
    'invite',
    'invoke',
    'launch',
    'list',
    'lookup',
    'move',
    'publish',
    'reboot',
  ],
  ...[
    'register',
    'reject',
    'release',
    'remove',
    'rename',
    'replace',
    'request',
    'restore',
    'revoke',
    'rotate',
  ],
  ...[
    'schedule',
    'share',
    'start',
    'suspend',
    'terminate',
    'unassign',
    'update',
    'upload',
    'validate',
    'watch',
  ],
]);

/** The past tense of the verb of an API call; undefined for an unknown verb. */
export function pastTense(verb: string): string | undefined {
  const known = Object.hasOwn(irregular, verb) ? irregular[verb] : undefined;
  if (known || !regular.has(verb)) return known;
  return verb.endsWith('e') ? `${verb}d` : `${verb}ed`;
}

type Lookup = (path: string) => string;

/**
 * Fills a phrase. `{one|other}` is the first path with a value. Brackets are omitted unless all their values are
 * present, and `<trail {name}>` becomes `a trail` without its value.
 */
export function fillPhrase(phrase: string, lookup: Lookup): string {
  const valueAt = (paths: string) =>
    paths
      .split('|')
      .map(lookup)
      .find((value) => value !== '') ?? '';
  const isWhole = (part: string) =>
    [...part.matchAll(placeholder)].every(([, paths]) => valueAt(paths as string) !== '');
  return phrase
    .replace(/\[([^[\]]*)\]/g, (_, optional: string) => (isWhole(optional) ? optional : ''))
    .replace(/<([^<>{]*) (\{[^<>]*)>/g, (_, noun: string, name: string) =>
      isWhole(name) ? `${noun} ${name}` : withArticle(noun),
    )
    .replace(placeholder, (_, paths: string) => valueAt(paths));
}

const placeholder = /\{([^{}]+)\}/g;

/** Acronyms take the article of their first letter: an AMI, an RDS snapshot, a KMS key. */
export function withArticle(noun: string): string {
  const isSpelled = /^[A-Z0-9]{2,}\b/.test(noun);
  return `${(isSpelled ? /^[AEFHILMNORSX]/ : /^[aeiouAEIO]/).test(noun) ? 'an' : 'a'} ${noun}`;
}

/** Joins names: `a, b and 3 more`. */
export function enumerate(names: readonly string[], maxNames = 3): string {
  const shown = names.slice(0, maxNames);
  if (names.length > maxNames) return `${shown.join(', ')} and ${names.length - maxNames} more`;
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}` : (shown[0] ?? '');
}
