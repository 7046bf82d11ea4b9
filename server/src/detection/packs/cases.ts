import { type Static, Type } from 'typebox';
import { Validator } from '../../platform/validator.ts';
import { YamlError, YamlFile } from '../../platform/yaml-file.ts';
import type { TelemetryDataset } from '../../telemetry/dataset.ts';
import { datasets } from '../../telemetry/datasets.ts';
import { checkRecord } from '../../telemetry/ingest-form.ts';
import type { RecordTemplates } from './record-templates.ts';

const closed = { additionalProperties: false };
const members = Type.Record(Type.String(), Type.Unknown(), { description: 'Write its members.' });
const byDataset = <Form extends Type.TSchema>(form: Form) =>
  Type.Record(Type.String({ minLength: 1 }), form, { minProperties: 1 });

/** `cases.yaml`. Unknown members are rejected as typing errors. */
const CasesFile = Type.Object(
  {
    given: Type.Optional(byDataset(members)),
    cases: Type.Array(
      Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: 200 }),
          records: byDataset(Type.Array(members, { minItems: 1, maxItems: 100 })),
          alerts: Type.Union([Type.Enum(['none', 'all']), Type.Array(members, { minItems: 1 })], {
            description: 'Write none, all, or the rows that are violations.',
          }),
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

/** Input records and the violations that a policy must find in them. */
export interface PolicyCase {
  readonly name: string;
  readonly records: ReadonlyMap<TelemetryDataset, readonly object[]>;
  /** `all`: each record is a violation. Otherwise a subset of the members of each row. */
  readonly alerts: CasesFile['cases'][number]['alerts'];
}

const datasetsByPath = new Map(datasets.map((dataset) => [dataset.path, dataset]));

/** The complete cases of a policy; errors have file and line. */
export function readCases(name: string, text: string, templates: RecordTemplates): PolicyCase[] {
  const file = new YamlFile(name, text);
  file.check(form);
  const { given = {}, cases } = file.value as CasesFile;
  for (const path of Object.keys(given)) datasetAt(file, path, ['given', path]);
  return cases.map(({ name, records, alerts }, index) => {
    refuseRepeatedName(file, cases, index);
    let number = 0;
    const complete = Object.entries(records).map(([path, list]) => {
      const at = ['cases', String(index), 'records', path];
      const dataset = datasetAt(file, path, at);
      const completed = list.map((change, position) => {
        const record = templates.record(dataset, ++number, given[path] ?? {}, change) as object;
        refuseBadRecord(file, dataset, record, [...at, String(position)]);
        return record;
      });
      return [dataset, completed] as const;
    });
    return { name, alerts, records: new Map(complete) };
  });
}

function datasetAt(file: YamlFile, path: string, at: readonly string[]): TelemetryDataset {
  const dataset = datasetsByPath.get(path);
  if (dataset) return dataset;
  throw file.problem(at, `${path} is not a dataset: use one of docs/datasets.md.`);
}

function refuseRepeatedName(file: YamlFile, cases: CasesFile['cases'], index: number): void {
  const name = cases[index]?.name;
  if (cases.findIndex((other) => other.name === name) < index)
    throw file.problem(
      ['cases', String(index), 'name'],
      `cases[${index}].name is already used by an earlier case.`,
    );
}

function refuseBadRecord(file: YamlFile, dataset: TelemetryDataset, record: object, at: string[]): void {
  try {
    checkRecord(dataset, record, Number(at.at(-1)));
  } catch (error) {
    throw error instanceof YamlError ? error : file.problem(at, (error as Error).message);
  }
}
