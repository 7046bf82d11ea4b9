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

const guide = Type.String({ minLength: 1, maxLength: 4_000 });
/** The same change in three tools. */
const Remediation = Type.Object(
  { console: guide, cli: guide, terraform: guide },
  { additionalProperties: false },
);
export type Remediation = Static<typeof Remediation>;

/** `policy.yaml`. Unknown members are rejected as typing errors. */
const PolicyFile = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: 200 }),
    description: Type.String({ minLength: 1, maxLength: 4_000 }),
    rationale: Type.Optional(Type.String({ minLength: 1, maxLength: 4_000 })),
    remediation: Type.Union([Type.String({ minLength: 1, maxLength: 8_000 }), Remediation], {
      description: 'Write text, or console, cli and terraform.',
    }),
    check: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9_]+$',
        maxLength: 100,
        description: 'Write the key under which frameworks list the check.',
      }),
    ),
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
  /** The key under which frameworks list it. */
  readonly check?: string;
  readonly title: string;
  /** The finding, and why it matters. */
  readonly description: string;
  readonly remediation: string;
  /** Undefined for policies over activity. */
  readonly steps?: Remediation;
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
  readonly scopeText?: string | undefined;
  /** Where it is written, if not in its own folder: a family has one file for all its policies. */
  readonly place?: string;
}

export interface ReadPolicy {
  readonly policy: BuiltInPolicy;
  readonly query: BuiltInQuery | undefined;
  readonly file: YamlFile;
}

export function readPolicy(source: PolicyFolder): ReadPolicy {
  const { number, folder, policyText, queryText, scopeText, place = folder } = source;
  const file = new YamlFile(`packs/policies/${place}/policy.yaml`, policyText);
  file.check(form);
  const written = file.value as PolicyFile;
  const problem = queryProblem(written, queryText);
  if (problem) throw file.problem(['query'], problem);
  refuseIncomplete(file, written);
  const { type, maturity, changed, query: queryId, exceptions = [], ...described } = written;
  const { rationale, remediation, ...rest } = described;
  const query =
    queryId === undefined || queryText === undefined
      ? undefined
      : {
          ...builtInQuery(queryId, written.title, queryText, changed),
          ...(scopeText !== undefined && { scope: scopeText.trimEnd() }),
        };
  const enabled = maturity === 'stable';
  const policy: BuiltInPolicy = {
    ...rest,
    description: rationale === undefined ? rest.description : `${rest.description}\n\n${rationale}`,
    ...(typeof remediation === 'string'
      ? { remediation }
      : { remediation: remediationText(remediation), steps: remediation }),
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

/** A policy over configuration is a line of reports: it has a reason, and three ways to fix its findings. */
function refuseIncomplete(file: YamlFile, { type, rationale, remediation }: PolicyFile): void {
  if (type !== 'Compliance') return;
  if (rationale === undefined) throw file.problem([], 'rationale is required: say why the finding matters.');
  if (typeof remediation === 'string')
    throw file.problem(['remediation'], 'remediation must have console, cli and terraform.');
}

function remediationText({ console, cli, terraform }: Remediation): string {
  return `Console:\n${console}\n\nCommand line:\n${cli}\n\nTerraform:\n${terraform}`;
}

function queryProblem({ type, query }: PolicyFile, text: string | undefined): string | undefined {
  if (type === 'Manual')
    return query !== undefined || text !== undefined
      ? 'query must be absent, and query.lql too: a person attests a Manual policy.'
      : undefined;
  if (query === undefined) return `query is required: a ${type} policy names the query in query.lql.`;
  return text?.trim() ? undefined : `query is ${query}, but query.lql is missing or empty.`;
}
