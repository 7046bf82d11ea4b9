import { afterEach, beforeEach, expect, test } from 'vitest';
import { newSortableId } from '../platform/ids.ts';
import { type ComposedReport, ReportUnavailable } from '../reports/scheduled/composed-report.ts';
import { reportOccasion } from '../reports/scheduled/report-message.ts';
import { SenderSite } from '../testing/sender-site.ts';

let site: SenderSite;
beforeEach(async () => {
  site = await SenderSite.start();
});
afterEach(() => site.stop());

async function addReports(channelId: string, count: number): Promise<void> {
  const now = site.clock.now();
  const rows = Array.from({ length: count }, (_, at) => ({
    ...{ id: newSortableId(now), owner_id: 'OWNER', alert_id: 0, channel_id: channelId, window_start: 0 },
    ...{ occasion: `${reportOccasion}${at}`, message: '{}', state: 'waiting' as const, attempts: 0 },
    ...{ due_at: now, created_at: now, updated_at: now, problem: null, external: null },
  }));
  await site.store.housekeeping((tx) => tx.insertInto('deliveries').values(rows).execute());
}

test('alerts of an account are sent while many of its reports are being written', async () => {
  const data = { channelProps: { recipients: ['team@example.com'] } };
  for (let at = 0; at < 9; at++) {
    const body = { name: `mail${at}`, type: 'EmailUser', enabled: 1, data } as const;
    await addReports((await site.integrations.create(site.actor, site.set, body)).intgGuid, 4);
  }
  let started = 0;
  let giveUp = (_: Error) => {};
  const written = new Promise<ComposedReport>((_, reject) => {
    giveUp = reject;
  });
  const sender = site.newSender(undefined, () => {
    started++;
    return written;
  });
  await sender.poll();
  site.clock.advance(1_000);
  const alert = await site.add(await site.newChannel());
  await sender.poll();
  await expect.poll(async () => (await site.row(alert))?.state).toBe('delivered');
  await expect.poll(() => started).toBe(4);
  giveUp(new ReportUnavailable('Nothing is stored.', true));
  await sender.drain();
  const reports = (await site.rows()).filter(({ alert_id }) => alert_id === 0);
  expect(reports.map(({ state, attempts }) => ({ state, attempts }))).toEqual(
    Array(36).fill({ state: 'dead', attempts: 1 }),
  );
});
