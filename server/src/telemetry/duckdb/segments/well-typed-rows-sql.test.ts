import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../../testing/clock.ts';
import { connections } from '../../datasets/Connections.ts';
import { isWellTyped } from '../../well-typed.ts';
import { SampleStore } from '../store.sample.ts';

let store: SampleStore;
beforeEach(async () => {
  store = await SampleStore.open(new ManualClock(), connections);
});
afterEach(() => store.close());

const integers = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  fc.integer().map(String),
  fc.constantFrom('9223372036854775807', '-9223372036854775808', '9007199254740993'),
);
const anything = fc.oneof(
  integers,
  fc.constantFrom('null', 'true', '"443"', '1.5', '9223372036854775808', '1e300', '[]', '{}', '{"mid":7}'),
  fc.string({ unit: 'grapheme' }).map((value) => JSON.stringify(value.replaceAll('\0', ''))),
);
const strings = fc.constantFrom('"TCP"', '"10.0.0.1"', '"é"', '""', 'null');
const declared = (name: string) => (['mid', 'pid_hash', 'port'].includes(name) ? integers : strings);
const anyOf = (name: string) =>
  fc.oneof({ weight: 9, arbitrary: declared(name) }, { weight: 1, arbitrary: anything });
const object = (...names: readonly string[]) =>
  fc
    .uniqueArray(fc.constantFrom(...names), { maxLength: names.length })
    .chain((chosen) => fc.tuple(...chosen.map((name) => anyOf(name).map((value) => `"${name}":${value}`))))
    .map((members) => `{${members.join(',')}}`);
const document = fc
  .record({
    source: fc.oneof(
      { weight: 9, arbitrary: object('mid', 'pid_hash', 'x') },
      { weight: 1, arbitrary: anything },
    ),
    target: object('mid', 'port', 'protocol', 'ip_addr', 'hostname'),
    // Below an object, `1.0` would mark a record as mistyped if types are checked, which is safe but another row.
    bytes: fc.oneof(integers, fc.constantFrom('1e3', '1.0', '-0')),
  })
  .map(
    ({ source, target, bytes }) =>
      `{"startTime":"2026-03-01T10:00:00.123456Z","endTime":"2026-03-01T12:00:00+01:00","srcEntityType":"é\\u00e9",
      "srcEntityId":${source},"dstEntityType":"","dstEntityId":${target},"srcInBytes":${bytes},"srcOutBytes":2,
      "dstInBytes":2,"dstOutBytes":1,"numConns":1}`,
  );

test('well-typed documents produce the same rows when parsed once', async () => {
  const seen = { wellTyped: 0, mistyped: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(document, { minLength: 1, maxLength: 20 }), async (records) => {
      const wellTyped = records.filter((json) => isWellTyped(connections, JSON.parse(json)));
      seen.wellTyped += wellTyped.length;
      seen.mistyped += records.length - wellTyped.length;
      if (wellTyped.length === 0) return;
      const batch = { account: 'A', dataset: connections, records: wellTyped, undeclaredMembers: [] };
      for (const isWellTyped of [true, false]) {
        await store.writer.store({ ...batch, isWellTyped, idempotencyKey: undefined });
      }
      const rows = await store.engine.use((connection) =>
        connection.runAndReadAll(
          `select * exclude (seq) from "2026-03-01"."Activities/Connections"
            where seq > ${store.segments.lastSequence - 2} order by seq, n`,
        ),
      );
      const values = rows.getRows();
      expect(values.slice(0, wellTyped.length)).toEqual(values.slice(wellTyped.length));
    }),
    { numRuns: 60 },
  );
  expect(Math.min(seen.wellTyped, seen.mistyped)).toBeGreaterThan(50);
});
