import { DuckDBListValue, VARCHAR } from '@duckdb/node-api';
import { describe, expect, test } from 'vitest';
import { readFilter } from '../../../search/filter.ts';
import { connections } from '../../datasets/Connections.ts';
import { fieldsOf } from '../../record-form.ts';
import { compileFilter } from './filter-sql.ts';
import { bind, joined, numbered, sql } from './sql.ts';

describe('numbered placeholders', () => {
  test('ignore question marks in quotes', () => {
    const [one, other] = [bind('a', VARCHAR), bind('a', VARCHAR)];
    const statement = numbered(sql`select '?', 'it''s ?', "?" where x = ${one} and y = ${other}`);
    expect(statement.sql).toBe(`select '?', 'it''s ?', "?" where x = $1 and y = $2`);
    expect(statement.parameters).toEqual(['a', 'a']);
    expect(statement.types).toEqual([VARCHAR, VARCHAR]);
  });

  test('bind the list of a filter once for all days, with or without mistyped records', () => {
    const values = Array.from({ length: 1_000 }, (_, at) => `${at}`);
    const filter = readFilter(
      { field: 'dstEntityId.port', expression: 'in', values },
      'filters[0]',
      fieldsOf(connections),
    );
    const listsOf = (days: number) => {
      const ofDays = Array.from({ length: days }, (_, at) =>
        compileFilter(filter, connections, { mistyped: at % 2 === 0 ? 'some' : 'none' }),
      );
      const { parameters } = numbered(joined(ofDays, ' and '));
      return parameters.filter((value) => value instanceof DuckDBListValue);
    };
    const lists = listsOf(2);
    expect(lists.length).toBeGreaterThan(0);
    expect(listsOf(14)).toEqual(lists);
  });
});
