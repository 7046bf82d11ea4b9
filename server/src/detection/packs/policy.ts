import { type Static, Type } from 'typebox';
import { Validator } from '../../platform/validator.ts';
import { YamlFile } from '../../platform/yaml-file.ts';
import {
  type ConstraintField,
  constraintFieldsOf,
  type ExceptionKey,
  exceptionKeys,
} from '../exceptions/keys.ts';
import { type BuiltInQuery, builtInQuery, builtInQueryId, changedDay, timeOf } from './query.ts';

const stringArray = (pattern: string, description: string) =>
  Type.Array(Type.String({ pattern, maxLength: 500, description }), { uniqueItems: true, maxItems: 50 });

/** `policy.yaml`. Unknown members are rejected as typing errors. */
const PolicyFile = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: 200 }),
    description: Type.String({ minLength: 1, maxLength: 4_000 }),
    remediation: Type.String({ minLength: 1, maxLength: 8_000 }),
    severity: Type.Enum(['critical', 'high', 'medium', 'low', 'info']),
    type: Type.Enum(['Violation', 'Compliance', 'Manual']),
    maturity: Type.Enum(['stable', 'experimental']),
    changed: changedDay,
    query: Type.Optional(builtInQueryId),
    alertProfile: Type.Optional(
      Type.String({
        pattern: '^LW_\\w+(\\.\\w+)?$',
        maxLength: 200,
        description: 'Write the profile, a dot, and the template.',
      }),
    ),
    evalFrequency: Type.Enum(['Hourly', 'Daily']),
    tags: stringArray('^\\S+$', 'A tag has no spaces.'),
    exceptions: Type.Optional(
      Type.Array(Type.Enum(Object.keys(exceptionKeys) as [ExceptionKey, ...ExceptionKey[]]), {
        uniqueItems: true,
      }),
    ),
    infoLink: Type.Optional(Type.String({ pattern: '^https://', maxLength: 500 })),
    references: Type.Optional(stringArray('^https://', 'A reference is an https address.')),
  },
  { additionalProperties: false },
);
type PolicyFile = Static<typeof PolicyFile>;
const form = new Validator(PolicyFile, 'file');

export interface BuiltInPolicy {
  readonly id: `lacework-global-${number}`;
  readonly number: number;
  /** Path in the packs, such as `aws/iam/access-key-deleted`. */
  readonly folder: string;
  readonly policyType: PolicyFile['type'];
  readonly title: string;
  readonly description: string;
  readonly remediation: string;
  readonly severity: PolicyFile['severity'];
  readonly enabled: boolean;
  readonly alertEnabled: boolean;
  readonly queryId?: string;
  readonly limit: number;
  readonly evalFrequency: PolicyFile['evalFrequency'];
  readonly alertProfile?: string;
  readonly tags: readonly string[];
  readonly constraintFields: readonly ConstraintField[];
  readonly changedTime: string;
  readonly infoLink?: string;
  readonly references?: readonly string[];
}

/** The unparsed content of a policy folder. */
export interface PolicyFolder {
  readonly number: number;
  readonly folder: string;
  readonly policyText: string;
  readonly queryText: string | undefined;
}

export interface ReadPolicy {
  readonly policy: BuiltInPolicy;
  readonly query: BuiltInQuery | undefined;
  readonly file: YamlFile;
}

export function readPolicy({ number, folder, policyText, queryText }: PolicyFolder): ReadPolicy {
  const file = new YamlFile(`packs/policies/${folder}/policy.yaml`, policyText);
  file.check(form);
  const written = file.value as PolicyFile;
  const problem = queryProblem(written, queryText);
  if (problem) throw file.problem(['query'], problem);
  const { type, maturity, changed, query: queryId, exceptions = [], ...rest } = written;
  const query =
    queryId === undefined || queryText === undefined
      ? undefined
      : builtInQuery(queryId, written.title, queryText, changed);
  const enabled = maturity === 'stable';
  const policy: BuiltInPolicy = {
    ...rest,
    id: `lacework-global-${number}`,
    number,
    folder,
    policyType: type,
    enabled,
    // Manual policies are attested by users and not evaluated, so they cannot alert.
    alertEnabled: enabled && type !== 'Manual',
    ...(queryId !== undefined && { queryId }),
    limit: 1_000,
    constraintFields: constraintFieldsOf(exceptions),
    changedTime: timeOf(changed),
  };
  return { policy, query, file };
}

function queryProblem({ type, query }: PolicyFile, text: string | undefined): string | undefined {
  if (type === 'Manual')
    return query !== undefined || text !== undefined
      ? 'query must be absent, and query.lql too: a person attests a Manual policy.'
      : undefined;
  if (query === undefined) return `query is required: a ${type} policy names the query in query.lql.`;
  return text?.trim() ? undefined : `query is ${query}, but query.lql is missing or empty.`;
}
