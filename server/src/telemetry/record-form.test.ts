import { describe, expect, test } from 'vitest';
import type { TelemetryDataset } from './dataset.ts';
import { datasets } from './datasets.ts';
import { ingestSchema } from './ingest-form.ts';
import { fieldsOf, recordSchema, reportedSchema } from './record-form.ts';

interface Form {
  readonly type?: string;
  readonly description?: string;
  readonly maxLength?: number;
  readonly properties?: Record<string, Form>;
}

const formAt = (path: string) =>
  recordSchema(datasets.find((dataset) => dataset.path === path) as TelemetryDataset) as Form;

describe('the schema of a record in responses', () => {
  test.each(datasets.map((dataset) => [dataset.path, dataset] as const))(
    'of %s has every member, described and bounded',
    (_, dataset) => {
      const form = recordSchema(dataset) as Form;
      expect(Object.keys(form.properties ?? {})).toEqual(Object.keys(dataset.members));
      expect(faultsOf(form, '')).toEqual([]);
    },
  );

  test('requires nothing, because `returns` omits members', () => {
    for (const dataset of datasets) expect(recordSchema(dataset).required ?? []).toEqual([]);
  });

  test('has the inner members of objects, at any depth', () => {
    const { propsMachine } = formAt('Entities/Applications').properties ?? {};
    expect(propsMachine?.properties?.num_users).toMatchObject({ type: 'integer' });
    expect(propsMachine?.properties?.tags?.properties?.VmProvider).toMatchObject({ type: 'string' });
    const { protoPayload } = formAt('LW_ACT_GCP_ACTIVITY').properties ?? {};
    expect(protoPayload?.properties?.requestMetadata?.properties?.callerIp).toMatchObject({
      type: 'string',
      description: 'Address of the caller.',
    });
  });

  test('distinguishes timestamps from other strings', () => {
    const { properties } = formAt('Activities/UserLogins');
    expect(properties?.createdTime).toMatchObject({ type: 'string', format: 'date-time' });
    expect(properties?.username).not.toHaveProperty('format');
  });
});

describe('the schema of a reported record', () => {
  test.each(datasets.map((dataset) => [dataset.path, dataset] as const))(
    'of %s requires the members that ingest requires, and describes every member',
    (_, dataset) => {
      const form = reportedSchema(dataset);
      const needed = Object.keys(dataset.members).filter((name) => !dataset.members[name]?.optional);
      expect(needed.length).toBeGreaterThan(0);
      expect(form.required).toEqual(needed);
      expect(form.required).toEqual(ingestSchema(dataset).required);
      expect(Object.keys(form.properties)).toEqual(Object.keys(dataset.members));
      for (const [name, { description }] of Object.entries(dataset.members))
        expect(form.properties[name]).toMatchObject({ description });
    },
  );

  test('has the types and bounds of ingest, and null for optional members', () => {
    const { properties } = reportedSchema(
      datasets.find(({ path }) => path === 'Activities/UserLogins') as TelemetryDataset,
    );
    expect(properties.mid).toMatchObject({ type: 'integer', minimum: -(2 ** 63), maximum: 2 ** 63 });
    expect(properties.createdTime).toMatchObject({ type: 'string', format: 'date-time', maxLength: 35 });
    expect(properties.uid).toMatchObject({ anyOf: [{ type: 'integer' }, { type: 'null' }] });
  });
});

test('filters treat integers as numbers, objects and arrays as JSON, and other members by their types', () => {
  const dataset: TelemetryDataset = {
    path: 'Sample',
    description: 'One member of each type.',
    members: {
      a: { type: 'string', description: 'String.' },
      b: { type: 'integer', description: 'Integer.' },
      c: { type: 'number', description: 'Number.', optional: true },
      d: { type: 'boolean', description: 'Boolean.' },
      e: { type: 'time', description: 'Time.' },
      f: { type: 'json', description: 'JSON.', inner: { g: { type: 'string', description: 'String.' } } },
    },
    range: { by: 'instant', member: 'e' },
    identity: ['a'],
    datasources: [],
  };
  expect(fieldsOf(dataset)).toEqual({
    columns: {
      a: { type: 'string' },
      b: { type: 'number' },
      c: { type: 'number' },
      d: { type: 'boolean' },
      e: { type: 'time' },
      f: { type: 'json' },
    },
  });
});

function faultsOf({ type, maxLength, properties = {} }: Form, path: string): string[] {
  return [
    ...(type === 'string' && maxLength === undefined ? [`${path} is unbounded`] : []),
    ...Object.entries(properties).flatMap(([name, property]) => [
      ...(property.description ? [] : [`${path}.${name} has no description`]),
      ...faultsOf(property, `${path}.${name}`),
    ]),
  ];
}
