import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SampleTable } from '../table.sample.ts';

let table: SampleTable;

beforeAll(async () => {
  table = await SampleTable.create();
});

afterAll(() => table.close());

describe('patterns', () => {
  test('letters of every case', async () => {
    const letters = [
      ...'aAkK\u212asSſσΣςİiIıßẞéÉdžDžDŽʼnΐა\u1c90вВ\u1c80\u{1e900}\u{1e922}\ua7cb\u{10d50}\u{10d70}',
    ];
    const stored = await table.storeJson(
      [...letters, 'i\u0307', 'ss'].map((text) => JSON.stringify({ text })),
    );
    for (const value of [...letters, 'i\u0307', 'SS', '_', '__']) {
      await table.search(stored, { field: 'text', expression: 'ilike', value });
      await table.search(stored, { field: 'text', expression: 'ilike', value: `%${value}%_%` });
    }
  });

  test.each([
    '%a'.repeat(2_500),
    '%_'.repeat(4_999),
    '%a_'.repeat(3_000),
    '_'.repeat(9_999),
    '\\'.repeat(9_999),
  ])('a long pattern is matched quickly', async (value) => {
    const stored = await table.storeJson([
      JSON.stringify({ text: 'a'.repeat(2_000), other: 'a'.repeat(2_000) }),
    ]);
    for (const field of ['text', 'other']) {
      expect(await table.search(stored, { field, expression: 'like', value: `${value}b` })).toEqual([]);
      expect(await table.search(stored, { field, expression: 'not_ilike', value: `${value}b` })).toEqual([0]);
    }
  });

  test.each([
    ...[
      '(?<name>a)',
      '(?P<name>a)',
      '[(?<n>]*',
      '\\(\\?<n>',
      '\\Q(?<n>\\E',
      '[[:^alpha:](?<n>]+',
      '[]()?<n>]+',
      'a{0}',
    ],
    ...[
      '(?U)a+?',
      '(?i)ſ',
      '\\x{10FFFF}',
      '\\pN',
      '\\PL',
      '[^\\x00-\\x{10FFFF}]',
      '(|a)*',
      '\\A.\\z',
      '(?m)^a$',
    ],
    ...[
      '(?:a?){1000}',
      `${'('.repeat(400)}a${')'.repeat(400)}`,
      'a{1000}a{1000}',
      '(a{30}){30}',
      '\\p{Greek}',
    ],
    ...[
      '[[:word:]]',
      '\\p{^Lu}',
      '.{2,}',
      '\\Q.',
      'a||b',
      '^*',
      '(?i)\\x{212a}',
      '\\a|\\f|\\v|\\07|\\x41',
      '(?s:.)',
    ],
  ])('the regular expression %s matches the same in the engine', async (value) => {
    const strings = [
      '',
      'a',
      'A',
      'aa',
      'b',
      '(?<n>',
      'n',
      '?',
      'S',
      'k',
      '1',
      '\n',
      '😀',
      'Σ',
      '.',
      '\u{10ffff}',
      ']<',
    ];
    const stored = await table.storeJson(strings.map((text) => JSON.stringify({ text })));
    await table.search(stored, { field: 'text', expression: 'rlike', value });
  });
});
