import { type Static, Type } from 'typebox';
import { Validator } from '../../platform/validator.ts';
import { YamlFile } from '../../platform/yaml-file.ts';
import type { Resource } from '../../telemetry/resource.ts';
import type { Provider } from '../../telemetry/served-datasource.ts';
import type { ResourceTemplates } from './resource-templates.ts';

const closed = { additionalProperties: false };
const members = Type.Record(Type.String(), Type.Unknown(), { description: 'Write its members.' });
const datasource = Type.String({ pattern: '^LW_CFG_[A-Z0-9_]+$' });
const resources = Type.Union([Type.Enum(['all', 'none']), Type.Array(Type.String(), { minItems: 1 })], {
  description: 'Write all, none, or the keys of resources; the last segment of a key is enough.',
});

/** `cases.yaml` of a policy over configuration. Unknown members are rejected as typing errors. */
const CasesFile = Type.Object(
  {
    given: Type.Optional(Type.Record(datasource, members)),
    cases: Type.Array(
      Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: 200 }),
          resources: Type.Optional(Type.Record(datasource, Type.Array(members, { maxItems: 50 }))),
          compliant: Type.Optional(resources),
          nonCompliant: Type.Optional(resources),
          reason: Type.Optional(Type.String({ pattern: '^[A-Z][A-Za-z0-9]+$' })),
        },
        closed,
      ),
      { minItems: 1, maxItems: 100 },
    ),
  },
  closed,
);
type CasesFile = Static<typeof CasesFile>;
const form = new Validator(CasesFile, 'file');

/** Keys of resources, or all resources in scope. */
export type ExpectedResources = 'all' | 'none' | readonly string[];

/** Cloud resources, and how a policy must evaluate them. Those in neither list are not in scope. */
export interface ResourceCase {
  readonly name: string;
  /** By kind; kinds without resources were collected, too. */
  readonly resources: ReadonlyMap<string, readonly Resource[]>;
  readonly compliant: ExpectedResources;
  readonly nonCompliant: ExpectedResources;
  /** The reason of all that are not compliant, if given. */
  readonly reason: string | undefined;
  /** Whether a resource lacks a member of its template, or a kind has no resources. */
  readonly isOdd: boolean;
}

/** The complete cases of a policy. Kinds that are given exist in every case, once for each resource of the case. */
export function readResourceCases(name: string, text: string, templates: ResourceTemplates): ResourceCase[] {
  const file = new YamlFile(name, text);
  file.check(form);
  const { given = {}, cases } = file.value as CasesFile;
  return cases.map((one, index) => {
    if (cases.findIndex((other) => other.name === one.name) < index)
      throw file.problem(
        ['cases', String(index)],
        `cases[${index}].name is already used by an earlier case.`,
      );
    const { resources = {}, compliant = 'none', nonCompliant = 'none', reason } = one;
    if (compliant === nonCompliant)
      throw file.problem(
        ['cases', String(index)],
        'A case is all compliant, all nonCompliant, or names keys.',
      );
    const count = Math.max(1, ...Object.values(resources).map(({ length }) => length));
    const kinds = [...new Set([...Object.keys(given), ...Object.keys(resources)])];
    const complete = kinds.map((kind) => {
      const changes = resources[kind] ?? Array.from({ length: count }, () => ({}));
      const build = (change: object, at: number) => {
        try {
          return templates.resource(kind, providerOf(kind), at + 1, given[kind] ?? {}, change);
        } catch (error) {
          throw file.problem(
            ['cases', String(index), 'resources', kind, String(at)],
            (error as Error).message,
          );
        }
      };
      return [kind, changes.map(build)] as const;
    });
    const isOdd = Object.values(resources).some((all) => all.length === 0 || all.some(hasNull));
    return { ...{ name: one.name, compliant, nonCompliant, reason, isOdd }, resources: new Map(complete) };
  });
}

function providerOf(kind: string): Provider {
  return kind.split('_')[2]?.toLowerCase() as Provider;
}

function hasNull(value: unknown): boolean {
  if (value === null) return true;
  return typeof value === 'object' && !Array.isArray(value) && Object.values(value).some(hasNull);
}
