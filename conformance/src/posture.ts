import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { SentSnapshot } from '@vedette/server/collect/inventory/memory-sink.sample';
import { Pack, shippedPacks } from '@vedette/server/detection/packs/pack';
import { formOf } from '@vedette/server/telemetry/resource-form';
import { account, type CollectedInventory } from './inventory.ts';
import type { PlantedResource } from './python.ts';

/** Checks whose violations follow from a member of planted resources: false, or missing if it is a string. */
const plantedFaults = {
  ebs_volume_encrypted: ['EC2_VOLUMES', 'Encrypted', false],
  efs_encrypted: ['EFS_DESCRIBE_FILE_SYSTEMS', 'Encrypted', false],
  kms_rotation: ['KMS_KEYS_GET_ROTATION_STATUS', 'KeyRotationEnabled', false],
  rds_encrypted: ['RDS_DB_INSTANCES', 'StorageEncrypted', false],
  s3_versioning: ['S3_GET_BUCKET_VERSIONING', 'Status', undefined],
} as const;

/** New resources are left to settle, and then all policies are evaluated. */
const patience = 300_000;
const sentTogether = 16;

export interface PostureServer {
  readonly url: string;
  readonly keyFile: string;
}

interface Evaluation {
  readonly id: string;
  readonly resource: string;
  readonly status: string;
}

interface Recommendation {
  readonly REC_ID: string;
  readonly VIOLATIONS: readonly { readonly resource: string }[];
}

/** Sends what was collected to a server: its evaluations and its report must accuse all planted faults, and nothing clean. */
export async function reportsWhatWasPlanted(
  { planted, snapshots }: CollectedInventory,
  { url, keyFile }: PostureServer,
): Promise<boolean> {
  const api = await Api.open(url, keyFile);
  await api.send(snapshots);
  const { policies } = await Pack.load(shippedPacks());
  const checks = Object.keys(plantedFaults) as (keyof typeof plantedFaults)[];
  const idsOf = (check: string) =>
    policies.filter((one) => one.check === check).map(({ id }) => id as string);
  const expected = new Map(checks.map((check) => [check, faultsOf(check, planted)]));
  // The emulator makes resources of its own for planted ones, some of them with the same fault.
  const collected = snapshots.flatMap(({ kind, resources }) =>
    resources.map(({ key, config }) => ({
      kind,
      key,
      config: JSON.parse(config) as PlantedResource['config'],
    })),
  );
  const allowed = new Map(checks.map((check) => [check, faultsOf(check, collected)]));
  const differences = async () => {
    const evaluations = await api.evaluations(checks.flatMap(idsOf));
    const violations = await api.violations();
    return checks.flatMap((check) => {
      const ids = idsOf(check);
      const names = { wanted: expected.get(check) ?? [], allowed: allowed.get(check) ?? [] };
      const accused = evaluations.filter(({ id, status }) => ids.includes(id) && status === 'NonCompliant');
      const isReported = ids.some((id) => violations.has(id));
      const reported = sorted(ids.flatMap((id) => violations.get(id) ?? []));
      return [
        ...difference(`${check} in evaluations`, sorted(accused.map(({ resource }) => resource)), names),
        // The benchmark has not all of the checks.
        ...(isReported ? difference(`${check} in the report`, reported, names) : []),
      ];
    });
  };
  // Resources that arrive while others are evaluated are evaluated afterwards.
  const deadline = Date.now() + patience;
  let findings = await differences();
  while (findings.length > 0 && Date.now() < deadline) {
    await wait(2_000);
    findings = await differences();
  }
  const count = [...expected.values()].flat().length;
  const name = `${count} planted faults of ${checks.length} checks are evaluated and reported, and no resource without them`;
  const isRight = findings.length === 0 && count > 0;
  process.stdout.write(`${isRight ? 'ok' : 'FAILED'} ${name}\n`);
  for (const finding of findings) process.stdout.write(`  ${finding}\n`);
  process.stdout.write(`${isRight ? 1 : 0} passed, ${isRight ? 0 : 1} failed\n`);
  return isRight;
}

function faultsOf(
  check: keyof typeof plantedFaults,
  resources: readonly Pick<PlantedResource, 'kind' | 'key' | 'config'>[],
): string[] {
  const [kind, member, fault] = plantedFaults[check];
  const isFault = (one: Pick<PlantedResource, 'kind' | 'config'>) =>
    one.kind === `LW_CFG_AWS_${kind}` && one.config[member] === fault;
  return sorted(resources.filter(isFault).map(({ key }) => key));
}

const sorted = (names: readonly string[]) => [...new Set(names)].sort();

function difference(
  where: string,
  actual: readonly string[],
  { wanted, allowed }: { readonly wanted: readonly string[]; readonly allowed: readonly string[] },
): string[] {
  const missing = wanted.filter((name) => !actual.includes(name)).slice(0, 3);
  const extra = actual.filter((name) => !allowed.includes(name)).slice(0, 3);
  if (missing.length + extra.length === 0) return [];
  return [`${where}: missing ${missing.join(', ') || 'none'}; without fault ${extra.join(', ') || 'none'}`];
}

class Api {
  readonly #url: string;
  readonly #token: string;

  private constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  static async open(url: string, keyFile: string): Promise<Api> {
    const { keyId, secret } = JSON.parse(readFileSync(keyFile, 'utf8')) as { keyId: string; secret: string };
    const headers = { 'content-type': 'application/json', 'X-LW-UAKS': secret };
    const body = JSON.stringify({ keyId });
    const response = await fetch(`${url}/api/v2/access/tokens`, { method: 'POST', headers, body });
    return new Api(url, ((await response.json()) as { token: string }).token);
  }

  /** Sends snapshots as a collector does. */
  async send(snapshots: readonly SentSnapshot[]): Promise<void> {
    const collector = { tokenAlias: 'conformance', tokenEnabled: 1, tokenPurpose: 'collector' };
    const { data } = await this.#request<{ accessToken: string }>('/api/v2/AgentAccessTokens', collector);
    const waiting = [...snapshots];
    const work = async () => {
      for (let one = waiting.pop(); one; one = waiting.pop()) await this.#sendOne(one, data.accessToken);
    };
    await Promise.all(Array.from({ length: sentTogether }, work));
  }

  async #sendOne(snapshot: SentSnapshot, token: string): Promise<void> {
    const { cloudAccount, kind, region, started, ended, status, reason } = snapshot;
    const lines = [...snapshot.resources.map(formOf), ...snapshot.unread];
    const parts = lines.length > 0 ? 1 : 0;
    const path = ['aws', cloudAccount, kind, region].map(encodeURIComponent).join('/');
    const query = new URLSearchParams({
      ...{ started: `${started}`, ended: `${ended}`, status, parts: `${parts}` },
      ...{ ...(reason && { reason }), ...(parts > 0 && { part: '1' }) },
    });
    const response = await fetch(`${this.#url}/ingest/v1/resources/${path}?${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
      body: lines.map((line) => JSON.stringify(line)).join('\n'),
    });
    if (!response.ok) throw new Error(`${kind} was refused: ${await response.text()}`);
  }

  async evaluations(ids: readonly string[]): Promise<readonly Evaluation[]> {
    const filters = [{ field: 'id', expression: 'in', values: ids }];
    const body = { dataset: 'AwsCompliance', filters };
    const { data } = await this.#request<Evaluation[]>('/api/v2/Configs/ComplianceEvaluations/search', body);
    return data;
  }

  /** The resources that the report of the benchmark accuses, by policy. */
  async violations(): Promise<ReadonlyMap<string, readonly string[]>> {
    const query = `reportType=AWS_CIS_14&primaryQueryId=${account}&format=json`;
    const { data } = await this.#request<{ recommendations: Recommendation[] }[]>(`/api/v2/Reports?${query}`);
    const recommendations = data[0]?.recommendations ?? [];
    return new Map(
      recommendations.map(({ REC_ID, VIOLATIONS }) => [REC_ID, VIOLATIONS.map(({ resource }) => resource)]),
    );
  }

  async #request<Data>(path: string, body?: object): Promise<{ readonly data: Data }> {
    const response = await fetch(`${this.#url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (response.status === 204) return { data: [] as Data };
    if (!response.ok) throw new Error(`${path} failed: ${await response.text()}`);
    return (await response.json()) as { data: Data };
  }
}
