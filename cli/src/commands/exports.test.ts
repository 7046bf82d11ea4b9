import { ControlStore } from '@vedette/server/control/store';
import { hold } from '@vedette/server/delivery/hold';
import { systemClock } from '@vedette/server/platform/clock';
import { createTestPlace, type TestPlace } from '@vedette/server/testing/database';
import { ServerProcess } from '@vedette/server/testing/process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Program } from '../program.sample.ts';

const hour = 3_600_000;

let installation: TestPlace;
let store: ControlStore;
let program: Program;
beforeAll(async () => {
  installation = await createTestPlace();
  program = new Program(installation);
  const server = await ServerProcess.ready(installation);
  await server.kill('SIGTERM');
  store = await ControlStore.open(installation.controlUrl, systemClock);
});
afterAll(async () => {
  await store.close();
  await installation.remove();
});

test('vedette exports lists hours that are not exported and retries them', async () => {
  expect(await program.output('exports')).toBe('All hours are exported.\n');
  const { id } = await store.read.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  const now = Math.floor(Date.now() / hour) * hour;
  const rowOf = (state: 'waiting' | 'written' | 'dead', begin: number) => ({
    ...{ owner_id: id, rule_id: 'R', channel_id: 'LAKE_1', place: 'local', dataset: 'Entities/Users' },
    ...{ hour: begin, state, attempts: 3, due_at: now + hour, records: 0, object: null },
    ...{ problem: state === 'dead' ? 'AWS s3 answered 403' : null, updated_at: now },
  });
  const rows = [rowOf('dead', now - 2 * hour), rowOf('written', now - hour), rowOf('waiting', now)];
  await store.housekeeping((tx) => tx.insertInto('exports').values(rows).execute());
  expect(await program.data('exports')).toEqual([
    {
      ...{ hour: new Date(now - 2 * hour).toISOString(), dataset: 'Entities/Users', state: 'dead' },
      ...{ attempts: 3, account: 'local', channelId: 'LAKE_1', channel: '', problem: 'AWS s3 answered 403' },
      dueTime: new Date(now + hour).toISOString(),
    },
  ]);
  expect(await program.output('exports')).toMatch(/HOUR .*\n.* Entities\/Users .* dead .* LAKE_1 .* 403/);
  await store.housekeeping((tx) => hold(tx, now));
  expect(await program.output('exports')).toMatch(
    /^Messages and exports have been held since the restore of .*\nHOUR /,
  );
  expect(await program.data('exports retry')).toEqual({ retried: 1 });
  const states = await store.read.selectFrom('exports').select('state').orderBy('hour').execute();
  expect(states.map(({ state }) => state)).toEqual(['waiting', 'written', 'waiting']);
  const entry = store.read.selectFrom('audit_log').select('event_description');
  expect(await entry.where('event_name', '=', 'Exports Retried').executeTakeFirst()).toEqual({
    event_description: expect.stringContaining('hours of datasets: 1'),
  });
});
