import { analyse } from '@vedette/lql/analyse';
import { compile } from '@vedette/lql/compile/compile';
import { duckdb } from '@vedette/lql/compile/duckdb/duckdb';
import type { Tables } from '@vedette/lql/compile/tables';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shippedPacks } from '../detection/packs/pack.ts';
import type { TelemetryDataset } from '../telemetry/dataset.ts';
import { connections } from '../telemetry/datasets/Connections.ts';
import { datasets } from '../telemetry/datasets.ts';
import type { Source } from '../telemetry/datasource.ts';
import { MirroredStore } from '../telemetry/duckdb/mirrored-store.sample.ts';
import { RecordGenerator } from '../telemetry/duckdb/record-generator.sample.ts';
import { hour, noon } from '../telemetry/duckdb/store.sample.ts';
import { columnsOf } from '../telemetry/query-column.ts';
import { ManualClock } from '../testing/clock.ts';
import { DatasourceCatalogue } from './catalogue.ts';

const catalogue = new DatasourceCatalogue({ datasets, packs: shippedPacks() });
const bounds = { account: 'A', start: noon - 10_000 * hour, end: noon + 10_000 * hour };

/** The declared paths below a column; a complete record has all of them. */
function pathsBelow({ members }: TelemetryDataset, source: Source): string[] {
  if (typeof source === 'string') return Object.keys(members[source]?.inner ?? {});
  if (!('stored' in source)) return [];
  return Object.entries(members).flatMap(([name, { inner }]) =>
    inner ? Object.keys(inner).map((path) => `${name}.${path}`) : [name],
  );
}

/** Every declared path below a Json column. */
const paths = datasets.flatMap((dataset) =>
  dataset.datasources.flatMap((datasource) =>
    columnsOf(dataset, datasource).flatMap(({ name, type, source }) => {
      if (type !== 'Json') return [];
      return pathsBelow(dataset, source).map((path) => ({
        datasource: datasource.name,
        path: `${name}:${path
          .split('.')
          .map((key) => JSON.stringify(key))
          .join('.')}`,
      }));
    }),
  ),
);
const datasources = [...new Set(paths.map(({ datasource }) => datasource))];

/** The Json columns of every datasource. */
const expanded = datasets.flatMap((dataset) =>
  dataset.datasources.map((datasource) => ({
    name: datasource.name,
    columns: columnsOf(dataset, datasource).flatMap(({ name, type }) => (type === 'Json' ? [name] : [])),
  })),
);

const stores = {
  mistyped: new MirroredStore(new ManualClock(noon)),
  wellTyped: new MirroredStore(new ManualClock(noon)),
};
beforeAll(async () => {
  for (const [name, mirror] of Object.entries(stores)) {
    await mirror.open();
    for (const dataset of datasets.filter((each) => each.datasources.length > 0)) {
      const generator = new RecordGenerator(dataset, 7);
      await mirror.store(
        dataset,
        'A',
        Array.from({ length: 12 }, () => generator.record(name === 'mistyped')),
      );
    }
  }
});
afterAll(async () => {
  for (const { sample } of Object.values(stores)) await sample.close();
});

let extracted = 0;
/** The rows, and the same rows without typed columns. */
async function runBoth({ sample }: MirroredStore, queryText: string): Promise<[string, string]> {
  const { query, problems } = analyse(queryText, catalogue);
  if (!query) throw new Error(`${queryText}: ${problems.map(({ message }) => message)}`);
  const run = async (wrap: (tables: Tables) => Tables) => {
    const chunks: Uint8Array[] = [];
    await sample.querying.run(
      bounds.account,
      (tables) => {
        const { sql, parameters } = compile(query, {
          dialect: duckdb,
          tables: wrap(tables),
          bounds,
          now: noon,
        });
        return { sql: `select string_agg("row", chr(10) order by "row") as "row" from (${sql})`, parameters };
      },
      (chunk) => void chunks.push(chunk),
      new AbortController().signal,
    );
    return Buffer.concat(chunks).toString();
  };
  const counted = (tables: Tables): Tables => ({
    rows: (read) => {
      extracted += (read.paths?.length ?? 0) + (read.items?.length ?? 0);
      return tables.rows(read);
    },
    extractedTypes: (...args) => tables.extractedTypes?.(...args) ?? (() => undefined),
    hasItems: (...args) => tables.hasItems?.(...args) ?? false,
  });
  return [await run(counted), await run((tables) => ({ rows: (read) => tables.rows(read) }))];
}

const queriesOn = (path: string) => [
  `return { ${path} as A, ${path}::String as B, ${path}::Number as C, ${path}::Timestamp as D }`,
  `return distinct { ${path} as A }`,
  `filter { ${path} is null or ${path} = 'x' or ${path}::Boolean } return { ${path} as A }`,
  `filter { ${path} > 1 or ${path} <> '1' } return { ${path}::String as A }`,
  `filter { ${path} like '%1%' or ${path} in ('0', 'x') } return { ${path}::Number as A }`,
];

describe.each(['mistyped', 'wellTyped'] as const)('values below paths of %s records', (kind) => {
  test.each(datasources)('are the same from typed columns and from the JSON of %s', async (datasource) => {
    extracted = 0;
    for (const { path } of paths.filter((each) => each.datasource === datasource)) {
      const source = `source { ${datasource} }`;
      for (const clauses of queriesOn(path)) {
        const [typed, json] = await runBoth(stores[kind], `{ ${source} ${clauses} }`);
        expect([path, clauses, typed]).toEqual([path, clauses, json]);
      }
      const inner = `{ ${source} filter { ${path} <> '0' } return { ${path} } }`;
      const [typed, json] = await runBoth(
        stores[kind],
        `{ ${source} filter { ${path} in ${inner} } return { ${path} as A } }`,
      );
      expect([path, typed]).toEqual([path, json]);
    }
    expect(extracted).toBeGreaterThan(0);
  });

  test('have the same array elements', async () => {
    extracted = 0;
    const arrays = [[], null, undefined, { a: [1] }, [[1], null, 's', { b: 1.1 }], [1, 2]];
    const generator = new RecordGenerator(connections, 7);
    await stores[kind].store(
      connections,
      'A',
      arrays.map((endpointDetails) => ({ ...generator.record(false), endpointDetails })),
    );
    for (const { name, columns } of expanded)
      for (const column of columns)
        for (const expansion of ['array_to_rows', 'array_to_rows_non_empty']) {
          const [typed, json] = await runBoth(
            stores[kind],
            `{ source { ${name}, ${expansion}(${column}) as (i) } return { i as I, ${column} as C } }`,
          );
          expect([name, column, typed]).toEqual([name, column, json]);
        }
    const [twice, json] = await runBoth(
      stores[kind],
      `{ source { LW_HA_CONNECTION_SUMMARY, array_to_rows(ENDPOINT_DETAILS) as (i),
        array_to_rows_non_empty(ENDPOINT_DETAILS) as (j), array_to_rows(i:b) as (k) } return { i as I, j as J, k as K } }`,
    );
    expect(twice).toBe(json);
    expect(twice).toContain('{"I":1,"J":2,"K":null}');
    expect(extracted).toBeGreaterThan(10);
  });

  test('join the same rows', async () => {
    const queryText =
      '{ source { LW_HA_CONNECTION_SUMMARY c with LW_HE_MACHINES m } return { c.SRC_ENTITY_ID:mid as C, m.MID as M } }';
    const [typed, json] = await runBoth(stores[kind], queryText);
    expect(typed).toBe(json);
  });
});
