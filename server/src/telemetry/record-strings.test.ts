import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maxRecords, recordStrings } from './record-strings.ts';

describe('the records of a body', () => {
  test('are the unchanged elements of an array', async () => {
    expect(await recordStrings('array', ' [ {"a" : "],{" , "b":[1.10,{}]} ,{"c":"\\"\\\\"}\n] ')).toEqual([
      '{"a" : "],{" , "b":[1.10,{}]}',
      '{"c":"\\"\\\\"}',
    ]);
  });

  test('parse to the elements of any array', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue(), { minLength: 1 }),
        fc.constantFrom(undefined, 1),
        async (values, indent) => {
          const documents = await recordStrings('array', JSON.stringify(values, null, indent));
          expect(documents.map((json) => JSON.parse(json))).toEqual(
            values.map((value) => JSON.parse(JSON.stringify(value))),
          );
        },
      ),
    );
  });

  test('are lines, except for empty ones', async () => {
    expect(await recordStrings('lines', '{"a":1}\r\n\n {"b":2}\n')).toEqual(['{"a":1}', '{"b":2}']);
  });

  test('are the lines, with any white space between them', async () => {
    const space = fc.stringMatching(/^[ \t\r\n]{0,5}$/);
    const content = fc.stringMatching(/^[{x]([ x]{0,5}x)?$/);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(content, space), { minLength: 1 }), space, async (all, before) => {
        const body = before + all.map(([one, after]) => `${one}${after}\n`).join('');
        expect(await recordStrings('lines', body)).toEqual(all.map(([one]) => one));
      }),
    );
  });

  test.each([
    ['array', '{}', 'not a JSON array'],
    ['array', '[', 'not a JSON array'],
    ['array', '[ ]', 'has no records'],
    ['lines', '\n \n', 'has no records'],
    ['lines', '\n'.repeat(64 * 1024 * 1024), 'has no records'],
    ['lines', '{}\n'.repeat(20_000_000), `more than ${maxRecords} records`],
    ['array', `[${'1,'.repeat(20_000_000)}1]`, `more than ${maxRecords} records`],
    ['lines', '{}\n'.repeat(maxRecords + 1), `more than ${maxRecords} records`],
  ] as const)('are refused in %s (%#)', async (form, body, message) => {
    await expect(recordStrings(form, body)).rejects.toThrow(message);
  });

  test.each(['lines', 'array'] as const)('may be as many as the limit in %s', async (form) => {
    const records = Array.from({ length: maxRecords }, (_, at) => `${at}`);
    const body = form === 'lines' ? records.join('\n') : `[${records.join(',')}]`;
    expect(await recordStrings(form, body)).toEqual(records);
  });

  test('are split without blocking other work', async () => {
    const body = `[${Array.from({ length: 100 }, () => `"${'x'.repeat(100_000)}"`).join(',')}]`;
    let ticks = 0;
    const count = () => {
      ticks++;
      if (ticks < 1_000) setImmediate(count);
    };
    setImmediate(count);
    expect(await recordStrings('array', body)).toHaveLength(100);
    expect(ticks).toBeGreaterThanOrEqual(5);
  });
});
