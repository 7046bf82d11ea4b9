import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pack, shippedPacks } from '@vedette/server/detection/packs/pack';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readConfiguration } from '../configuration.ts';
import { runAgent } from '../run-agent.ts';
import { authorizeOrdinary } from './keys.ts';
import { LivePrograms } from './live-programs.ts';
import { LiveService, type Row } from './live-service.ts';
import { actOrdinarily } from './ordinary.ts';
import { startOrdinary } from './processes.ts';
import { ShopHost } from './shop-host.ts';
import { situations, unseen } from './situations.ts';

/** For a busy machine. */
const patience = { timeout: 80_000, interval: 200 };

const { policies: all } = await Pack.load(shippedPacks());
const policies = all.filter(({ folder }) => folder.startsWith('host/'));
const tested = policies.flatMap((policy) => {
  const situation = situations[policy.folder];
  return situation ? [{ ...policy, severity: titleCase(policy.severity), situation }] : [];
});
const onFiles = tested.flatMap(({ situation, ...policy }) =>
  situation.on === 'files' ? [{ ...policy, situation }] : [],
);
const onProcesses = tested.flatMap(({ situation, ...policy }) =>
  situation.on === 'processes' ? [{ ...policy, situation }] : [],
);

let service: LiveService;
let stateDirectory: string;
let shop: ShopHost;
let programs: LivePrograms;
/** Of the started programs, by policy. */
const pids = new Map<string, number>();
let ordinaryPid: number;
let alertsBefore: readonly Row[];
let stopAgents: (() => Promise<void>) | undefined;

beforeAll(async () => {
  service = await LiveService.start();
  for (const { id } of policies) await service.enable(id);
  stateDirectory = mkdtempSync(join(tmpdir(), 'vedette-agent-'));
  [shop, programs] = [await ShopHost.start(), new LivePrograms()];
  authorizeOrdinary(shop);
  stopAgents = startAgents();
  // The heartbeat is the last report of a round.
  await vi.waitFor(async () => expect(await service.search('AgentInfo')).toHaveLength(2), patience);
  const reportedAt = service.passInterval();
  await vi.waitFor(async () => {
    const evaluated = await service.evaluatedSince(reportedAt);
    expect(states.filter((id) => !evaluated.has(id))).toEqual([]);
  }, patience);
  alertsBefore = await service.alerts();
  // An agent that starts observes everything, and what has changed while it was stopped.
  await stopAgents();
  actOrdinarily(shop);
  for (const { situation } of onFiles) situation.create(shop);
  for (const { id, situation } of onProcesses) pids.set(id, await situation.start(programs));
  ordinaryPid = await startOrdinary(programs);
  service.passInterval();
  stopAgents = startAgents();
});
afterAll(async () => {
  await stopAgents?.();
  await programs?.end();
  shop?.end();
  await service?.stop();
  rmSync(stateDirectory, { recursive: true, force: true });
});

/** Policies over what hosts report as their state. Those over events are evaluated when there is one. */
const states = policies.filter(({ alertProfile }) => alertProfile?.startsWith('LW_HE_')).map(({ id }) => id);

/** One for the files of the shop, and one for the processes of this host. */
function startAgents(): () => Promise<void> {
  const stop = new AbortController();
  const run = (name: string, options: Readonly<Record<string, string>>) => {
    const { url: server, agentToken: token } = service;
    const given = { server, token, stateDirectory: join(stateDirectory, name), ...options };
    const configuration = readConfiguration({ options: given, environment: {} });
    return runAgent(configuration, { signal: stop.signal, log: () => {} });
  };
  // The files, keys and users of this host are no part of the tests.
  const without =
    'users,interfaces,packages,connections,containers,applications,logins,files,programs,keys,audit,dns';
  const running = Promise.all([run('shop', { hostRoot: shop.root }), run('this', { without })]);
  return async () => {
    stop.abort();
    await running;
  };
}

function titleCase(severity: string): string {
  return severity.charAt(0).toUpperCase() + severity.slice(1);
}

function processesOf(alerts: readonly Row[]): readonly Row[] {
  const entities: readonly Row[] = alerts.flatMap(({ entityMap }) => entityMap.Process ?? []);
  return entities.map(({ KEY, PROPS }) => ({ ...KEY, ...PROPS, pid: Number(PROPS.pid) }));
}

test('every policy over hosts is tested here, or the agent does not see what it looks for', () => {
  const listed = [...Object.keys(situations), ...Object.keys(unseen)];
  expect(listed.sort()).toEqual(policies.map(({ folder }) => folder).sort());
});

test('an ordinary host raises no alert', () => {
  const ids = new Set(onFiles.map(({ id }) => id));
  expect(alertsBefore.filter(({ policyId }) => ids.has(policyId))).toEqual([]);
});

test.each(onFiles)('$folder alerts on what it looks for, and on nothing else', async (policy) => {
  const { id, title, severity, situation } = policy;
  await expect.poll(async () => (await service.alerts(id)).length).toBe(1);
  expect(await service.alerts(id)).toMatchObject([
    {
      ...{ policyId: id, severity, violationCount: 1 },
      alertInfo: { subject: `${title}: ${situation.finding}` },
    },
  ]);
});

test.each(onProcesses)('$folder alerts on a process of this host', async (policy) => {
  const { id, title, severity, situation } = policy;
  const isOurs = ({ pid }: Row) => pid === pids.get(id);
  const find = async () => (await service.alerts(id)).filter((alert) => processesOf([alert]).some(isOurs));
  await expect.poll(async () => (await find()).length).toBe(1);
  const found = await find();
  // Its subject may name another process of this host that violates the policy, too.
  const subject = expect.stringMatching(`^${title.replace(/[()]/g, '\\$&')}: `);
  expect(found).toMatchObject([{ policyId: id, severity, alertInfo: { subject } }]);
  expect(processesOf(found).find(isOurs)).toMatchObject({
    exe_path: expect.stringMatching(situation.program),
    cmdline: expect.stringContaining(situation.commandLine),
  });
});

test('an ordinary process raises no alert', async () => {
  const isOurs = ({ pid }: Row) => pid === ordinaryPid;
  await expect.poll(async () => (await service.search('Entities/Processes')).some(isOurs)).toBe(true);
  expect(processesOf(await service.alerts()).filter(isOurs)).toEqual([]);
});
