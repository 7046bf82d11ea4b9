import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Keyring } from '../platform/keyring.ts';
import { jsonArray } from '../search/page.ts';
import type { BackupEntry, ResourceChanges } from '../telemetry/store.ts';
import { archiveOfLines, linesOfArchive } from '../testing/archive.ts';
import { TestDetection } from '../testing/detection.ts';
import { backup } from './backup.ts';
import { Progress } from './progress.ts';
import { restore } from './restore.ts';

const day = 86_400_000;
const accountId = '123456789012';
const arn = (name: string) => `arn:aws:s3:::${name}`;
const open = `{ source { LW_CFG_AWS_S3 } filter { RESOURCE_CONFIG:public = true }
  return distinct { ACCOUNT_ID, ARN as RESOURCE_KEY, RESOURCE_REGION, 'Public' as COMPLIANCE_FAILURE_REASON } }`;
const compliance = { policyType: 'Compliance', alertProfile: 'LW_CFG_AWS_DEFAULT_PROFILE.CFG_AWS_Violation' };

let source: TestDetection;
let target: TestDetection;
let directory: string;
beforeEach(async () => {
  source = await TestDetection.start();
  target = await TestDetection.start();
  directory = mkdtempSync(join(tmpdir(), 'vedette-restore-'));
});
afterEach(async () => {
  await source.stop();
  await target.stop();
  rmSync(directory, { recursive: true, force: true });
});

type Buckets = Readonly<Record<string, { readonly public: boolean }>>;
const [opened, closed] = [{ public: true }, { public: false }];

async function collect(place: TestDetection, buckets: Buckets, account = place.account): Promise<void> {
  place.clock.advance(1_000);
  const started = place.clock.now();
  const resources = Object.entries(buckets).map(([name, config]) => ({
    key: arn(name),
    facts: { URN: arn(name), ACCOUNT_ID: accountId, RESOURCE_REGION: 'eu-west-1' },
    config: JSON.stringify(config),
    tags: undefined,
  }));
  await place.telemetry.finishSnapshot(
    account,
    { kind: 'LW_CFG_AWS_S3', cloudAccount: accountId, region: 'aws-global', started },
    { ended: started, status: 'collected', reason: '', parts: 1, part: { number: 1, resources, unread: [] } },
  );
}

/** Runs what is due, after the time for which new resources are left to settle. */
async function settle(place: TestDetection): Promise<void> {
  for (let round = 0; round < 3; round++) {
    place.clock.advance(20_000);
    await place.tick();
  }
}

async function evaluations(place: TestDetection, end = place.clock.now() + 1, account = place.account) {
  const query = { range: { start: 0, end }, filters: [], returns: undefined, provider: 'aws' };
  const page = await place.telemetry.evaluations.search(account, query);
  const rows = JSON.parse(jsonArray(page)) as { resource: string; status: string; since: string }[];
  return rows.sort((one, other) => (one.resource < other.resource ? -1 : 1));
}

const statuses = async (place: TestDetection, end?: number) =>
  Object.fromEntries((await evaluations(place, end)).map(({ resource, status }) => [resource, status]));
const sinceOf = async (place: TestDetection, name: string) =>
  (await evaluations(place)).find(({ resource }) => resource === arn(name))?.since;

/** The entries of a backup of the telemetry, by kind. */
async function entriesOf(place: TestDetection, accounts = [place.account]) {
  const entries: BackupEntry[] = [];
  await place.telemetry.withoutRemovals(async () => {
    const holdings = await place.telemetry.holdings(new Set(accounts));
    for await (const entry of holdings?.read() ?? []) entries.push(entry);
  });
  return {
    evaluations: entries.flatMap((entry) => ('evaluation' in entry ? [entry.evaluation] : [])),
    places: entries.flatMap((entry) => ('place' in entry ? [entry.place] : [])),
    lastEvaluations: entries.flatMap((entry) => ('lastEvaluation' in entry ? [entry.lastEvaluation] : [])),
    runs: entries.flatMap((entry) => ('run' in entry ? [entry.run] : [])),
    scopes: entries.flatMap((entry) => ('scope' in entry ? [entry.scope] : [])),
  };
}

const takeBackup = (place: TestDetection): Promise<Buffer> => {
  const { store, telemetry } = place;
  const progress = new Progress();
  return buffer(backup({ store, telemetry, createdAt: 'now', place: 'here', progress }));
};

async function restoreInto(place: TestDetection, archive: Uint8Array): Promise<void> {
  const { store, telemetry, clock } = place;
  const keyring = new Keyring([Keyring.newMaterial()]);
  await restore(Readable.from([archive]), {
    ...{ store, telemetry, clock, keyring, dataDirectory: directory, place: 'here' },
    ...{ userName: 'operator@example.com', isHeld: false, progress: new Progress() },
  });
}

/** An archive without what earlier releases did not write. */
function asBefore(archive: Uint8Array): Buffer {
  const added = /^\{"(scope|evaluation|place|lastEvaluation|run)":/;
  const [header = '{}', ...lines] = linesOfArchive(archive).filter((line) => !added.test(line));
  const { telemetry, ...rest } = JSON.parse(header);
  const { evaluations: _, ...counts } = telemetry;
  const unnumbered = lines.map((line) => {
    if (!/^\{"(resource|attempt)":/.test(line)) return line;
    return JSON.stringify(
      JSON.parse(line, (key, value) => (['opened', 'closed', 'position'].includes(key) ? undefined : value)),
    );
  });
  return archiveOfLines([JSON.stringify({ ...rest, telemetry: counts }), ...unnumbered]);
}

const positionsIn = (changes: ResourceChanges | undefined) =>
  [...(changes?.evaluated.values() ?? [])].map(({ position }) => position);

describe('a restore of evaluations', () => {
  test('restores their history, and the next evaluation continues it without repeated alerts', async () => {
    await source.policy('open', open, compliance);
    await collect(source, { a: opened, b: closed, c: opened });
    await settle(source);
    const early = source.clock.now();
    source.clock.advance(day);
    await collect(source, { a: closed, b: closed, c: opened });
    await settle(source);
    const late = source.clock.now();
    // Collected, but not evaluated yet.
    await collect(source, { a: closed, b: closed, c: opened, d: opened });
    const [alerts, violations, entries] = [
      await source.alerts(),
      await source.violations(),
      await entriesOf(source),
    ];
    const archive = await takeBackup(source);
    await collect(source, { e: opened });
    await settle(source);

    target.clock.advance(source.clock.now() - target.clock.now() + day);
    await restoreInto(target, archive);
    for (const end of [early, late])
      expect(await evaluations(target, end)).toEqual(await evaluations(source, end));
    expect(await statuses(target, early)).toMatchObject({ [arn('a')]: 'NonCompliant' });
    expect(await entriesOf(target)).toEqual(entries);
    expect(await target.alerts()).toEqual(alerts);
    expect(await target.violations()).toEqual(violations);

    const before = await sinceOf(target, 'c');
    await settle(target);
    expect(await statuses(target)).toEqual({
      ...{ [arn('a')]: 'Compliant', [arn('b')]: 'Compliant', [arn('c')]: 'NonCompliant' },
      [arn('d')]: 'NonCompliant',
    });
    expect(await sinceOf(target, 'c')).toBe(before);
    const isNew = ({ id }: { id: number }) => !alerts.some((known) => known.id === id);
    expect((await target.alerts()).filter(isNew)).toMatchObject([{ violations: 1 }]);
    const { evaluations: known } = await entriesOf(target);
    expect(known.slice(entries.evaluations.length).map(({ key }) => key)).toEqual([arn('d')]);

    // Later than an alert takes up further violations.
    target.clock.advance(day);
    await collect(target, { a: closed, b: opened, c: opened, d: opened });
    await settle(target);
    expect((await target.alerts()).filter(isNew)).toMatchObject([{ violations: 1 }, { violations: 1 }]);
    const after = await entriesOf(target);
    expect(after.evaluations.slice(known.length).map(({ key }) => key)).toEqual([arn('b')]);
    const ids = after.evaluations.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const [, ...revisions] = after.runs.map(({ revision }) => revision);
    expect(revisions).toEqual(revisions.map((_, at) => at + 2));
    expect(await sinceOf(target, 'c')).toBe(before);
  });

  test('evaluates only what changed afterwards', async () => {
    await source.policy('open', open, compliance);
    await collect(source, { a: opened, b: closed });
    await settle(source);
    await restoreInto(target, await takeBackup(source));
    target.clock.advance(source.clock.now() - target.clock.now());
    const { scopes, lastEvaluations } = await entriesOf(target);
    expect(lastEvaluations.map(({ covers }) => covers)).toEqual(scopes.map(({ changed }) => changed));
    const changes = await target.telemetry.resourceChanges(target.account);
    expect(positionsIn(changes)).toEqual([...(changes?.kinds.values() ?? [])]);
    await collect(target, { a: opened, b: closed });
    expect(await target.telemetry.resourceChanges(target.account)).toMatchObject({ kinds: changes?.kinds });
  });

  test('keeps retention and account deletion', async () => {
    await source.policy('open', open, compliance);
    await collect(source, { a: opened, b: closed });
    await settle(source);
    const early = source.clock.now();
    await collect(source, { a: closed, b: closed });
    await settle(source);
    await restoreInto(target, await takeBackup(source));
    target.clock.advance(source.clock.now() - target.clock.now() + day);
    await target.telemetry.deleteBefore(target.clock.now());
    expect(await statuses(target, early)).toEqual({});
    expect(await entriesOf(target)).toMatchObject({
      evaluations: [{ key: arn('b') }, { key: arn('a'), status: 'Compliant' }],
      places: [{ cloudAccount: accountId }],
    });
    const { store, account } = target;
    await store.housekeeping((tx) => tx.deleteFrom('accounts').where('id', '=', account).execute());
    await target.telemetry.deleteAccount(account);
    const nothing = { evaluations: [], places: [], lastEvaluations: [], runs: [], scopes: [] };
    expect(await entriesOf(target)).toEqual(nothing);
  });

  test('of an archive of an earlier release evaluates everything once, without repeated alerts', async () => {
    await source.policy('open', open, compliance);
    await collect(source, { a: opened, b: closed });
    await settle(source);
    const alerts = await source.alerts();
    await restoreInto(target, asBefore(await takeBackup(source)));
    target.clock.advance(source.clock.now() - target.clock.now());
    expect(await evaluations(target)).toEqual([]);
    await settle(target);
    expect(await statuses(target)).toEqual({ [arn('a')]: 'NonCompliant', [arn('b')]: 'Compliant' });
    expect(await target.alerts()).toEqual(alerts);
    const changes = await target.telemetry.resourceChanges(target.account);
    expect(positionsIn(changes)).toEqual([...(changes?.kinds.values() ?? [])]);
  });

  test('rejects a truncated or invalid archive', async () => {
    await source.policy('open', open, compliance);
    await collect(source, { a: opened, b: closed });
    await settle(source);
    const lines = linesOfArchive(await takeBackup(source));
    const at = lines.findIndex((line) => line.startsWith('{"evaluation":'));
    const changed = (change: (line: string) => string[]) =>
      restoreInto(
        target,
        archiveOfLines([...lines.slice(0, at), ...change(lines[at] ?? ''), ...lines.slice(at + 1)]),
      );
    await expect(changed(() => [])).rejects.toThrow('is truncated');
    await expect(changed((line) => [line.replace('"NonCompliant"', '"Unknown"')])).rejects.toThrow(
      'is invalid',
    );
    await expect(changed((line) => [line.replace('"result":"{', '"result":"')])).rejects.toThrow(
      'does not match',
    );
  });
});

test('a backup contains the evaluations of its accounts as of one revision, despite later ones', async () => {
  await source.newAccount('OTHER');
  await source.policy('open', open, compliance);
  await source.policy('open', open, compliance, 'OTHER');
  await collect(source, { a: opened, b: closed });
  await collect(source, { x: opened }, 'OTHER');
  await settle(source);
  expect(await evaluations(source, undefined, 'OTHER')).toHaveLength(1);
  const before = await entriesOf(source);
  expect(new Set(before.evaluations.map(({ account }) => account))).toEqual(new Set([source.account]));
  const { telemetry } = source;
  const replacement = await telemetry.replacement();
  await telemetry.withoutRemovals(async () => {
    const holdings = await telemetry.holdings(new Set([source.account]));
    await collect(source, { a: closed, b: opened, c: closed });
    await settle(source);
    for await (const entry of holdings?.read() ?? []) await replacement.add(entry);
    expect(holdings?.evaluations).toBe(before.evaluations.length);
  });
  await replacement.ready();
  await telemetry.swapIn(replacement, (mark) => source.store.housekeeping(mark));
  const { lastEvaluations, scopes, ...rest } = await entriesOf(source);
  expect(rest).toMatchObject({ evaluations: before.evaluations, places: before.places, runs: before.runs });
  // Evaluated meanwhile: what it covered before is unknown.
  expect(lastEvaluations).toEqual(before.lastEvaluations.map((known) => ({ ...known, covers: 0 })));
  await settle(source);
  expect(await statuses(source)).toEqual({ [arn('a')]: 'NonCompliant', [arn('b')]: 'Compliant' });
});
