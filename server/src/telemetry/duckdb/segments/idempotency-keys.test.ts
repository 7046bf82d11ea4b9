import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../../testing/clock.ts';
import { connections } from '../../datasets/Connections.ts';
import { connection, hour, noon, SampleStore } from '../store.sample.ts';
import type { Segment } from './segment.ts';

let clock: ManualClock;
let sample: SampleStore;
beforeEach(async () => {
  clock = new ManualClock(noon);
  sample = await SampleStore.open(clock, connections);
});
afterEach(() => sample.close());

const nextDay = () => clock.advance(24 * hour);
const store = (records: readonly string[], idempotencyKey: string) =>
  sample.writer.store({
    ...{ account: 'A', dataset: connections, records, isWellTyped: false, undeclaredMembers: [] },
    idempotencyKey,
  });

describe('idempotency keys', () => {
  test('that are damaged block neither batches nor dropping their day', async () => {
    await store([connection(noon)], 'first');
    const [damaged] = sample.segments.all();
    const table = damaged?.table('batches');
    await sample.engine.use((db) =>
      db.run(`insert into ${table} (seq, account, dataset, idempotency_key, records, received)
        select 1, 'A', '${connections.path}', md5(i::varchar) || md5((-i)::varchar), 1, ${clock.now()} from range(60000) as rows(i)`),
    );
    await sample.segments.checkpoint(damaged as Segment);
    const blocks = await sample.engine.use((db) =>
      db.runAndReadAll(`select block_id from pragma_storage_info('${damaged?.name}.batches')
        where block_id >= 0 group by block_id having bool_and(column_name = 'idempotency_key')`),
    );
    expect(blocks.getRows()).not.toEqual([]);
    sample.engine.close();
    const handle = openSync(join(sample.days, '2026-03-01.duckdb'), 'r+');
    for (const [block] of blocks.getRows())
      writeSync(handle, 'damaged', 12_288 + Number(block) * 262_144 + 99_999);
    closeSync(handle);
    await sample.reopen();
    nextDay();
    // A key outside the range of existing ones would be resolved without reading the damaged blocks.
    expect(await store([connection(clock.now())], '5econd')).toEqual({ records: 1, isRepeat: false });
    expect(await store([connection(clock.now())], '5econd')).toEqual({ records: 1, isRepeat: true });
    await sample.budget.dropBefore(clock.now());
    await sample.budget.idle();
    expect(sample.files()).toEqual(['2026-03-02.duckdb']);
    const messages = sample.logLines.map((line) => JSON.parse(line).msg);
    expect(messages.filter((message) => message === 'a day of telemetry is damaged')).toHaveLength(1);
    expect(messages).toContain('idempotency keys of a dropped day could not be read');
  });
});
