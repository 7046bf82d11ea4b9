import { isDeepStrictEqual } from 'node:util';
import { awsAccountTarget } from '@vedette/server/collect/aws/account-target';
import { CallBudget } from '@vedette/server/collect/inventory/budget';
import { Collection } from '@vedette/server/collect/inventory/collection';
import { MemorySink, type SentSnapshot } from '@vedette/server/collect/inventory/memory-sink.sample';
import { BulkOutbound } from '@vedette/server/outbound/bulk-outbound';
import type { PlantedInventory, PlantedResource } from './python.ts';

export const account = '123456789012';
const least = 1_000;
/** Values that were planted and must not be stored. */
const canary = /canary|c2VjcmV0/;
/** Kinds that the emulator lacks: `lacking-in-moto.test.ts` answers their calls. */
const lacking = [
  ...['ACCESSANALYZER', 'ACCOUNT_GET_CONTACT_INFORMATION', 'BACKUP_PROTECTED_RESOURCES'],
  ...['EC2_CLIENT_VPN_ENDPOINTS', 'EC2_GET_SNAPSHOT_BLOCK_PUBLIC_ACCESS_STATE', 'GUARDDUTY_FINDINGS'],
  ...['GUARDDUTY_GET_FINDINGS', 'IAM_GET_SERVICE_LAST_ACCESSED_DETAILS', 'KAFKACONNECT_CONNECTORS'],
  ...['LAMBDA_FUNCTION_URL_CONFIGS', 'MACIE2_GET_MACIE_SESSION', 'S3_GET_BUCKET_POLICY_STATUS'],
  ...['SECURITYHUB_ENABLED_PRODUCTS_FOR_IMPORT', 'SECURITYHUB_GET_ENABLED_STANDARDS', 'SSM_COMPLIANCES'],
  ...['SSM_INSTANCE_INFORMATION', 'WAF_GET_LOGGING_CONFIGURATION', 'WAF_WEB_ACLS'],
].map((name) => `LW_CFG_AWS_${name}`);
/** The emulator answers this call with the output of another one. */
const misunderstood = 'LW_CFG_AWS_S3_GET_BUCKET_POLICY_STATUS';
/** Rows about a resource that has a row of its own. */
const detailCalls = /_(GET|DESCRIBE|LIST)_/;

interface FoundResource {
  readonly region: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** Resources by kind and key, and the kinds that could not be read. */
interface Found {
  readonly kinds: ReadonlyMap<string, ReadonlyMap<string, FoundResource>>;
  readonly problems: ReadonlyMap<string, string>;
  readonly snapshots: readonly SentSnapshot[];
}

/** What was planted and collected, and whether both are the same. */
export interface CollectedInventory {
  readonly isComplete: boolean;
  readonly planted: readonly PlantedResource[];
  readonly snapshots: readonly SentSnapshot[];
}

/** Collects before and after resources are planted: exactly those must be new, with their configurations. */
export async function collectPlanted(inventory: PlantedInventory): Promise<CollectedInventory> {
  const before = await collect(inventory);
  const planted = await inventory.plant();
  const started = Date.now();
  const after = await collect(inventory);
  const seconds = ((Date.now() - started) / 1_000).toFixed(0);
  const resources = planted.filter(({ kind }) => !detailCalls.test(kind)).length;
  const checks: Record<string, readonly string[]> = {
    [`${planted.length} rows of ${resources} planted AWS resources in ${inventory.regions.length} regions are collected (${seconds} s)`]:
      resources < least ? [`${resources} resources are fewer than ${least}`] : missing(planted, after),
    'nothing else is collected': unplanted(planted, before, after),
    'no planted secret is stored': secrets(after),
    'no other kinds have problems': [...after.problems]
      .filter(([kind]) => !lacking.includes(kind))
      .map(([kind, reason]) => `${kind}: ${reason}`),
  };
  for (const [name, findings] of Object.entries(checks)) {
    process.stdout.write(`${findings.length === 0 ? 'ok' : 'FAILED'} ${name}\n`);
    for (const finding of findings.slice(0, 20)) process.stdout.write(`  ${finding}\n`);
  }
  process.stdout.write('Kinds that the emulator lacks, which tests with loopback servers cover:\n');
  for (const [kind, reason] of after.problems) process.stdout.write(`  ${kind}: ${reason}\n`);
  const failed = Object.values(checks).filter((findings) => findings.length > 0).length;
  process.stdout.write(`${Object.keys(checks).length - failed} passed, ${failed} failed\n`);
  return { isComplete: failed === 0, planted, snapshots: after.snapshots };
}

async function collect({ url, regions }: PlantedInventory): Promise<Found> {
  const clock = { now: () => Date.now() };
  const outbound = new BulkOutbound({ allowsPrivate: true });
  // The emulator has no quota.
  const budget = new CallBudget({ share: 1, clock, wait: async () => {} });
  const credentials = async () => ({ accessKeyId: 'AKIACOLLECTOR', secretAccessKey: 'any' });
  const target = { outbound, budget, credentials, endpoint: url, id: account, partition: 'aws', regions };
  const { signal } = new AbortController();
  const sink = new MemorySink();
  try {
    const readings = await awsAccountTarget(target).readings(signal);
    await new Collection({ cloudAccount: account, sink, clock }).run(readings, signal, () => {});
  } finally {
    await outbound.close();
  }
  const kinds = new Map<string, Map<string, FoundResource>>();
  const problems = new Map<string, string>();
  problems.set(misunderstood, 'the emulator answers with the output of another call.');
  for (const { kind, status, reason, resources } of sink.snapshots) {
    if (kind === misunderstood) continue;
    if (status !== 'collected' && status !== 'empty') problems.set(kind, reason);
    const found = kinds.get(kind) ?? new Map<string, FoundResource>();
    kinds.set(kind, found);
    for (const { key, facts, config } of resources)
      found.set(key, { region: String(facts.RESOURCE_REGION), config: JSON.parse(config) });
  }
  return { kinds, problems, snapshots: sink.snapshots };
}

function missing(planted: readonly PlantedResource[], { kinds }: Found): string[] {
  return planted.flatMap(({ kind, region, key, config }) => {
    const found = kinds.get(kind)?.get(key);
    if (!found) return [`${kind} ${key} is missing`];
    if (found.region !== region) return [`${kind} ${key} is in ${found.region}, not ${region}`];
    return Object.entries(config)
      .filter(([member, value]) => !has(found.config[member], value))
      .map(
        ([member, value]) =>
          `${kind} ${key}: ${member} is ${JSON.stringify(found.config[member])}, not ${JSON.stringify(value)}`,
      );
  });
}

/** Whether an object has the expected members; the provider may add others. */
function has(actual: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return isDeepStrictEqual(actual, expected);
  if (typeof actual !== 'object' || actual === null) return false;
  if (Array.isArray(expected) && (!Array.isArray(actual) || actual.length !== expected.length)) return false;
  return Object.entries(expected).every(([name, value]) =>
    has((actual as Record<string, unknown>)[name], value),
  );
}

function unplanted(planted: readonly PlantedResource[], before: Found, after: Found): string[] {
  const expected = new Set(planted.map(({ kind, key }) => `${kind} ${key}`));
  const isExpected = (kind: string, key: string) =>
    expected.has(`${kind} ${key}`) || before.kinds.get(kind)?.has(key) === true;
  const gone = [...before.kinds].flatMap(([kind, found]) =>
    [...found.keys()]
      .filter((key) => !after.kinds.get(kind)?.has(key))
      .map((key) => `${kind} ${key} vanished`),
  );
  const extra = [...after.kinds].flatMap(([kind, found]) =>
    [...found.keys()].filter((key) => !isExpected(kind, key)).map((key) => `${kind} ${key} was not planted`),
  );
  return [...gone, ...extra];
}

function secrets({ kinds }: Found): string[] {
  return [...kinds].flatMap(([kind, found]) =>
    [...found]
      .filter(([key, { config }]) => canary.test(key + JSON.stringify(config)))
      .map(([key]) => `${kind} ${key}`),
  );
}
