import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBType,
  type DuckDBValue,
  VARCHAR,
} from '@duckdb/node-api';
import { expect } from 'vitest';
import { parseInstant } from '../../platform/instant.ts';
import { matches } from '../../search/evaluator.ts';
import { type FilterBody, readFilter } from '../../search/filter.ts';
import { parsePath, reach } from '../../search/path.ts';
import type { ApiRecord } from '../../search/record.ts';
import type { MemberType } from '../dataset.ts';
import { sample, sampleFields } from './dataset.sample.ts';
import { compileFilter } from './sql/filter-sql.ts';
import { identifier, type Sql } from './sql/sql.ts';

interface Column {
  readonly name: string;
  readonly type: Exclude<MemberType, 'json'>;
  readonly isInner: boolean;
}

const columns: readonly Column[] = Object.entries(sample.members).flatMap(([member, { type, inner = {} }]) =>
  [
    { name: member, type, isInner: false },
    ...Object.entries(inner).map(([name, { type }]) => ({ name: `${member}.${name}`, type, isInner: true })),
  ].filter((column): column is Column => column.type !== 'json'),
);

const types = { string: VARCHAR, integer: BIGINT, number: DOUBLE, boolean: BOOLEAN, time: BIGINT };

const all: readonly (readonly [string, DuckDBType])[] = [
  ...columns.map(({ name, type }) => [name, types[type]] as const),
  ['odd', BOOLEAN],
  ['doc', VARCHAR],
];

/** A record and its JSON, which may write numbers and characters differently from JSON.stringify. */
export interface Document {
  readonly record: ApiRecord;
  readonly doc: string;
}

/** The sample dataset's table, in memory. */
export class SampleTable {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.#connection = connection;
  }

  static async create(): Promise<SampleTable> {
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    const connection = await instance.connect();
    await connection.run(
      `create table t (${all.map(([name, type]) => `${identifier(name).sql} ${type}`).join()})`,
    );
    return new SampleTable(instance, connection);
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }

  async store(documents: readonly Document[]): Promise<void> {
    const row = `(${all.map(() => '?').join()})`;
    await this.#connection.run('delete from t');
    await this.#connection.run(
      `insert into t values ${documents.map(() => row).join()}`,
      documents.flatMap(toRow),
      documents.flatMap(() => all.map(([, type]) => type)),
    );
  }

  /** Stores JSON documents; each gets an id and a time. */
  async storeJson(bodies: readonly string[]): Promise<Document[]> {
    const documents = bodies.map((body, id) => {
      const doc = `{"id":${id},"startTime":"2024-05-01T00:00:00Z"${body === '{}' ? '' : ','}${body.slice(1)}`;
      return { record: JSON.parse(doc) as ApiRecord, doc };
    });
    await this.store(documents);
    return documents;
  }

  /** The ids matched by the engine, which must equal those matched by the evaluator. */
  async search(stored: readonly Document[], body: FilterBody): Promise<number[]> {
    const filter = readFilter(body, 'filters[0]', sampleFields);
    const ids = await this.find(compileFilter(filter, sample));
    const expected = stored.filter(({ record }) => matches(record, filter)).map(({ record }) => record.id);
    expect(ids, JSON.stringify(body)).toEqual(expected);
    return ids;
  }

  async find({ sql, parameters, types }: Sql): Promise<number[]> {
    const statement = `select "id" from t where ${sql} order by "id"`;
    const reader = await this.#connection.runAndReadAll(statement, [...parameters], [...types]);
    return reader.getRows().map(([id]) => Number(id));
  }
}

function toRow({ record, doc }: Document): DuckDBValue[] {
  let mistyped = false;
  const cells = columns.map(({ name, type, isInner }) => {
    const path = parsePath(name);
    const value = reach(record, [path?.field ?? '', ...(path?.steps ?? [])]) ?? null;
    const cell = value === null ? null : toCell(value, type);
    mistyped ||= isInner && cell === undefined;
    return typeof cell === 'number' && type === 'time' ? BigInt(cell) : (cell ?? null);
  });
  return [...cells, mistyped, doc];
}

/** Undefined for a value of another type than declared. */
function toCell(value: unknown, type: Column['type']): DuckDBValue | undefined {
  if (type === 'string' || type === 'boolean')
    return typeof value === type ? (value as string | boolean) : undefined;
  if (type === 'number') return typeof value === 'number' ? value : undefined;
  if (type === 'time') return typeof value === 'string' ? parseInstant(value) : undefined;
  const integer =
    typeof value === 'bigint' || Number.isSafeInteger(value) ? BigInt(value as number) : undefined;
  return integer !== undefined && BigInt.asIntN(64, integer) === integer ? integer : undefined;
}
