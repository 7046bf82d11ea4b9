import type { Bound, Tables } from '@vedette/lql/compile/tables';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canLimitFiles, limitFiles } from '../testing/file-size-limit.ts';
import { TestTelemetry } from '../testing/telemetry.ts';
import type { CompileWith } from './compiled-query.ts';
import { dnss } from './datasets/DNSs.ts';
import { served } from './duckdb/query.sample.ts';
import { recordResources } from './snapshot.sample.ts';

let fixture: TestTelemetry;
beforeEach(async () => {
  fixture = await TestTelemetry.start();
});
afterEach(() => fixture.stop());

const hour = 3_600_000;
const lookup = (fqdn: string, instant: number) => ({
  ...{
    createdTime: new Date(instant).toISOString(),
    mid: 1,
    fqdn,
    hostIpAddr: 'b',
    ttl: 1,
    dnsServerIp: 'c',
  },
});
const names = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}.${at}`);
const bounds = () => ({ account: 'A', start: 0, end: fixture.clock.now() + hour });

/** The queried DNS names, one per row. */
const lookups: CompileWith = (tables: Tables) => {
  const parameters: Bound[] = [];
  const datasource = served('LW_HA_DNS_REQUESTS', []);
  const rows = tables.rows({
    ...{ datasource, columns: [{ name: 'HOSTNAME', type: 'String' }], bounds: bounds() },
    bind: (value) => `$${parameters.push(value)}`,
  });
  return { sql: `select to_json("HOSTNAME")::varchar as "row" from (${rows})`, parameters };
};
const query = (compileWith: CompileWith, abandoned?: AbortSignal) =>
  fixture.telemetry.query('A', compileWith, abandoned);
const plain = (sql: string, ...parameters: Bound[]) => query(() => ({ sql, parameters }));

async function readString(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all).toString('utf8');
}
const idle = { running: 0, waiting: 0, sending: 0 };
/** More than the read-ahead buffer holds. */
const large = `select repeat('x', 1500) as "row" from range(20000)`;

describe('a query', () => {
  test('returns all rows of one account, separated by commas', async () => {
    const start = fixture.clock.now() - hour;
    const own = names('own', 3_000);
    await fixture.take(
      dnss,
      'A',
      own.map((name) => lookup(name, start)),
    );
    await fixture.take(dnss, 'B', [lookup('foreign', start)]);
    const returned: string[] = JSON.parse(`[${await readString(query(lookups))}]`);
    expect(returned.sort()).toEqual(own.sort());
    expect((await readString(plain(large))).length).toBe(20_000 * 1_501 - 1);
    expect(await readString(plain(`select 'é' as "row" where false`))).toBe('');
    expect(await readString(plain(`select 'é' as "row"`))).toBe('é');
    expect(fixture.telemetry.searches).toEqual(idle);
  });

  test('binds its parameters unchanged', async () => {
    const values = [2n ** 63n - 1n, -(2n ** 63n), 2n ** 64n, 0.1, 5, true, `'"; drop table x --é`, ''];
    const sql = `select concat_ws('|', $1, $2, $3, $4, typeof($5), $6, $7, $8) as "row"`;
    expect(await readString(plain(sql, ...values))).toBe(
      `9223372036854775807|-9223372036854775808|18446744073709551616|0.1|DOUBLE|true|'"; drop table x --é|`,
    );
  });

  test('reads a consistent snapshot while days are dropped, rewritten and removed', async () => {
    const { clock, telemetry } = fixture;
    const all: string[] = [];
    for (let day = 0; day < 3; day++) {
      const some = names(`${day}`, 2_500);
      await fixture.take(
        dnss,
        'A',
        some.map((name) => lookup(name, clock.now() - hour)),
      );
      all.push(...some);
      clock.advance(24 * hour);
    }
    // More than the read-ahead buffer holds.
    const padded: CompileWith = (tables) => {
      const { sql, parameters } = lookups(tables);
      return { sql: `select left("row" || repeat(' ', 5000), 5000) as "row" from (${sql})`, parameters };
    };
    const reading = query(padded);
    const first = [await reading.next()];
    const maintenance = [
      telemetry.compact(),
      telemetry.deleteBefore(clock.now()),
      telemetry.deleteAccount('A'),
    ];
    await fixture.take(dnss, 'A', [lookup('late', clock.now())]);
    const rest = await readString(reading);
    const json = Buffer.concat([first[0]?.value ?? Buffer.alloc(0), Buffer.from(rest)]).toString();
    expect((JSON.parse(`[${json}]`) as string[]).sort()).toEqual(all.sort());
    await Promise.all(maintenance);
    expect(await readString(query(lookups))).toBe('');
  });

  test('ends when its reader stops, and leaves nothing behind', async () => {
    await fixture.take(dnss, 'A', [lookup('a', fixture.clock.now())]);
    for (let round = 0; round < 5; round++) {
      for await (const chunk of plain(large)) {
        expect(chunk.length).toBeGreaterThan(100_000);
        break;
      }
      expect(fixture.telemetry.searches).toEqual(idle);
    }
    expect(await readString(query(lookups))).toBe('"a"');
  });

  test('ends when its client disconnects, also while it waits for the reader', async () => {
    const aborting = new AbortController();
    const reading = query(() => ({ sql: large, parameters: [] }), aborting.signal);
    await reading.next();
    aborting.abort(new Error('left'));
    await expect.poll(() => fixture.telemetry.searches).toEqual(idle);
    await expect(reading.next()).rejects.toThrow('left');
    const forever = query(
      () => ({ sql: `select max(md5(r::varchar)) as "row" from range(1000000000000) t(r)`, parameters: [] }),
      AbortSignal.timeout(50),
    );
    await expect(forever.next()).rejects.toThrow('timeout');
    expect(fixture.telemetry.searches).toEqual(idle);
  });

  test('frees its slot while it only waits for the reader, unless many do', async () => {
    const slow = Array.from({ length: 19 }, () => plain(large));
    for (const reading of slow) await reading.next();
    expect(fixture.telemetry.searches).toEqual({ running: 3, waiting: 0, sending: 16 });
    for (const reading of slow.slice(0, 16)) await reading.return(undefined);
    expect(fixture.telemetry.searches).toEqual({ running: 3, waiting: 0, sending: 0 });
    const waiting = readString(query(lookups));
    await expect.poll(() => fixture.telemetry.searches.waiting).toBe(1);
    for (const reading of slow.slice(16)) await reading.return(undefined);
    expect(await waiting).toBe('');
    expect(fixture.telemetry.searches).toEqual(idle);
  });

  test('ends at the time limit of searches', async () => {
    await fixture.restart({ searchSeconds: 3 });
    const reading = plain(large);
    await reading.next();
    await expect.poll(() => fixture.telemetry.searches).toEqual(idle);
    await expect(reading.next()).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('longer than 3 seconds'),
    });
  });

  test('that exceeds the memory limit is refused, and others continue', async () => {
    await fixture.restart({ limits: { memory: '40MB', threads: 2 } });
    const sql = `select string_agg(repeat('x', 1000) || r, ',') as "row" from range(100000) t(r)`;
    await expect(readString(plain(sql))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('VEDETTE_TELEMETRY_MEMORY'),
    });
    expect(await readString(plain(`select 1::varchar as "row"`))).toBe('1');
  });

  test('of few rows that do not fit into memory streams them', async () => {
    await fixture.restart({ limits: { memory: '40MB', threads: 2 } });
    const sql = `select repeat('x', 6000) as "row" from range(5000)`;
    const sizes: number[] = [];
    for await (const chunk of query(() => ({ sql, parameters: [], limit: 5_000 }))) sizes.push(chunk.length);
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(5_000 * 6_001 - 1);
    const few = query(() => ({ sql: `select 1::varchar as "row" from range(3)`, parameters: [], limit: 3 }));
    expect(await readString(few)).toBe('1,1,1');
  });

  test('that does not compile or run fails, and leaves nothing behind', async () => {
    const wrong = query(() => {
      throw new Error('no such column');
    });
    await expect(wrong.next()).rejects.toThrow('no such column');
    await expect(readString(plain('selec 1'))).rejects.toThrow('syntax error');
    await expect(
      readString(plain(`select cast('x' || r as integer)::varchar as "row" from range(5) t(r)`)),
    ).rejects.toThrow('x0');
    // No row is written before the query has completed.
    const late = `case when r < 1000000 then r::varchar else 'x' end`;
    const broken = plain(`select cast(${late} as integer)::varchar as "row" from range(2000000) t(r)`);
    await expect(broken.next()).rejects.toThrow("Could not convert string 'x'");
    expect(fixture.telemetry.searches).toEqual(idle);
  });

  test('can not read files', async () => {
    await fixture.take(dnss, 'A', [lookup('a', fixture.clock.now())]);
    const outside = plain(`select content as "row" from read_text('/etc/passwd')`);
    await expect(readString(outside)).rejects.toThrow(/disabled by configuration|not allowed/i);
  });
});

describe('cloud resources', () => {
  const snapshot = (config: string, started = fixture.clock.now()) => ({
    ...{ account: 'A', kind: 'LW_CFG_AWS_S3', cloudAccount: '1', started, ended: started },
    resources: [{ key: 'arn:a', facts: { URN: 'arn:a' }, config, tags: undefined }],
  });
  const configs: CompileWith = (tables) => {
    const parameters: Bound[] = [];
    const rows = tables.rows({
      ...{ datasource: served('LW_CFG_AWS_S3', []), bounds: bounds() },
      ...{ columns: [{ name: 'RESOURCE_CONFIG', type: 'Json' }] },
      bind: (value) => `$${parameters.push(value)}`,
    });
    return { sql: `select "RESOURCE_CONFIG" as "row" from (${rows})`, parameters };
  };

  test('are read by queries, survive a restart and are removed with their account', async () => {
    for (const account of ['A', 'B'])
      await recordResources(fixture.telemetry, { ...snapshot('{"Encrypted":false}'), account });
    expect(await readString(query(configs))).toBe('{"Encrypted":false}');
    await fixture.restart();
    expect(await readString(query(configs))).toBe('{"Encrypted":false}');
    expect((await fixture.telemetry.diskUse()).used).toBeGreaterThan(0);
    await fixture.telemetry.deleteAccount('A');
    expect(await readString(query(configs))).toBe('');
  });

  test('have the retention of telemetry', async () => {
    const { clock, telemetry } = fixture;
    const instant = clock.now();
    await recordResources(telemetry, snapshot('1', instant - 2));
    await recordResources(telemetry, { ...snapshot('1', instant - 1), resources: [] });
    expect(await readString(query(configs))).toBe('1');
    await telemetry.deleteBefore(instant);
    expect(await readString(query(configs))).toBe('');
  });

  test.skipIf(!canLimitFiles)('are refused while the disk is full, and stored ones are kept', async () => {
    const { telemetry, clock } = fixture;
    const large = JSON.stringify('x'.repeat(1_000_000));
    await recordResources(telemetry, snapshot('1', clock.now() - 1));
    limitFiles(100_000);
    try {
      await expect(recordResources(telemetry, snapshot(large))).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        message: expect.stringContaining('the disk is full'),
      });
      expect(await readString(query(configs))).toBe('1');
    } finally {
      limitFiles('unlimited');
    }
    expect(await recordResources(telemetry, snapshot(large))).toEqual({ opened: 1, closed: 1 });
    expect(await readString(query(configs))).toBe(large);
  });
});
