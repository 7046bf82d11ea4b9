import { ControlStore } from '@vedette/server/control/store';
import { systemClock } from '@vedette/server/platform/clock';
import { createTestPlace, type TestPlace } from '@vedette/server/testing/database';
import { addDelivery } from '@vedette/server/testing/deliveries';
import { ServerProcess } from '@vedette/server/testing/process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Program } from '../program.sample.ts';

let installation: TestPlace;
let server: ServerProcess;
let store: ControlStore;
let program: Program;
beforeAll(async () => {
  installation = await createTestPlace();
  program = new Program(installation);
  server = await ServerProcess.ready(installation);
  store = await ControlStore.open(installation.controlUrl, systemClock);
});
afterAll(async () => {
  await store.close();
  await server.kill('SIGTERM');
  await installation.remove();
});

describe('vedette deliveries', () => {
  test('lists undelivered messages and resends them', async () => {
    expect(await program.output('deliveries')).toBe('No undelivered messages.\n');
    const { id: ownerId } = await store.read.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
    const message = { ownerId, channelId: 'GONE_1', alertId: 7 };
    const [id] = [await addDelivery(store, Date.now(), message)];
    await expect.poll(() => program.data('deliveries --dead')).toHaveLength(1);
    expect(await program.data('deliveries')).toEqual([
      {
        ...{ id, state: 'dead', occasion: 'opened', attempts: 1, problem: 'The channel is deleted.' },
        ...{ account: 'local', alertId: 7, channelId: 'GONE_1', channel: '' },
        createdTime: expect.any(String),
        updatedTime: expect.any(String),
        dueTime: expect.any(String),
      },
    ]);
    expect(await program.output('deliveries --dead')).toMatch(
      /ID .*\n.* local .* GONE_1 .* dead .* The channel is deleted\./,
    );
    expect(await program.output('deliveries --waiting')).toBe('No undelivered messages.\n');
    expect(await program.output(`deliveries resend ${id}`)).toBe('1 message queued for resending.\n');
    const [first] = await program.data('deliveries');
    expect(Date.parse(first.createdTime)).toBeLessThanOrEqual(Date.now());
    await expect.poll(async () => (await program.data('deliveries --dead')).length).toBe(1);
    expect(await program.data('deliveries resend --all-dead')).toEqual({ resent: 1 });
    const entries = await store.read
      .selectFrom('audit_log')
      .select('event_description')
      .where('event_name', '=', 'Deliveries Resent')
      .orderBy('id')
      .execute();
    expect(entries.map(({ event_description }) => event_description.split(': ')[1])).toEqual([
      `message ${id}`,
      '1 dead messages',
    ]);
  });

  test('names missing and unknown arguments', async () => {
    expect(await program.errorOutput('deliveries resend')).toContain(
      'Pass the id of a message, or --all-dead.',
    );
    expect(await program.errorOutput('deliveries resend x --all-dead')).toContain('or --all-dead');
    expect(await program.errorOutput('deliveries resend nothing')).toContain(
      "Not found: waiting message or dead letter 'nothing'",
    );
  });
});
