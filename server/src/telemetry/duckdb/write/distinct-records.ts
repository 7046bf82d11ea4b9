import { BIGINT, type DuckDBConnection, INTEGER, LIST, listValue, VARCHAR } from '@duckdb/node-api';
import type { Batch } from '../../batch.ts';
import type { TelemetryDataset } from '../../dataset.ts';
import { identifyingMembers, type RecordIdentity } from '../../record-identity.ts';
import { isDamagedBlock } from '../engine/disk-failure.ts';
import type { Segment } from '../segments/segment.ts';
import { identifier } from '../sql/sql.ts';

/** The segments that may contain records of the account and dataset in [start, end). */
export type SegmentsCovering = (
  account: string,
  path: string,
  start: number,
  end: number,
) => readonly Segment[];

interface Candidate {
  readonly batch: Batch;
  readonly index: number;
  readonly identity: RecordIdentity;
}

/** The engine rounds fractions of a millisecond, the service truncates them. */
const tolerance = 1;

/**
 * The batches without the records that are stored already, or that an earlier batch of the group has. Only batches
 * with identities are reduced. Runs before the transaction: the writer is alone, and a failed read would abort it.
 */
export async function withoutStored(
  connection: DuckDBConnection,
  covering: SegmentsCovering,
  batches: readonly Batch[],
): Promise<Map<Batch, Batch>> {
  const repeated = new Map<Batch, Set<number>>();
  const note = ({ batch, index }: Candidate) =>
    repeated.set(batch, (repeated.get(batch) ?? new Set()).add(index));
  for (const candidates of groupsOf(batches, note)) {
    for (const stored of await storedAmong(connection, covering, candidates)) note(stored);
  }
  return new Map(
    [...repeated].map(([batch, indexes]) => [
      batch,
      { ...batch, records: batch.records.filter((_, index) => !indexes.has(index)) },
    ]),
  );
}

/** Candidates by account and dataset; repeats within the group are noted. */
function groupsOf(batches: readonly Batch[], note: (repeat: Candidate) => void): Iterable<Candidate[]> {
  const groups = new Map<string, Map<string, Candidate>>();
  for (const batch of batches) {
    const name = `${batch.account} ${batch.dataset.path}`;
    const group = groups.get(name) ?? new Map<string, Candidate>();
    for (const [index, identity] of (batch.identities ?? []).entries()) {
      const key = JSON.stringify([identity.at, ...identity.values]);
      const candidate = { batch, index, identity };
      if (group.has(key)) note(candidate);
      else group.set(key, candidate);
    }
    if (group.size > 0) groups.set(name, group);
  }
  return [...groups.values()].map((group) => [...group.values()]);
}

async function storedAmong(
  connection: DuckDBConnection,
  covering: SegmentsCovering,
  candidates: readonly Candidate[],
): Promise<Candidate[]> {
  const { account, dataset } = (candidates[0] as Candidate).batch;
  const times = candidates.map(({ identity }) => identity.at);
  const from = times.reduce((one, other) => Math.min(one, other)) - tolerance;
  const to = times.reduce((one, other) => Math.max(one, other)) + tolerance;
  const stored: Candidate[] = [];
  for (const segment of covering(account, dataset.path, from, to + 1)) {
    const { values, types } = parametersOf(dataset, candidates);
    const result = await connection
      .runAndReadAll(
        storedSql(dataset, segment),
        { ...values, account, from: BigInt(from), to: BigInt(to) },
        types,
      )
      .catch((error: unknown) => {
        // As with damaged idempotency keys: stored twice rather than not at all.
        if (!isDamagedBlock(error)) throw error;
        return undefined;
      });
    for (const { at } of result?.getRowObjects() ?? []) stored.push(candidates[Number(at)] as Candidate);
  }
  return stored;
}

function storedSql(dataset: TelemetryDataset, segment: Segment): string {
  const names = identifyingMembers(dataset);
  const given = names.map((_, index) => `unnest($v${index}) as v${index}`);
  const kept = names.map((name, index) => `coalesce(${identifier(name).sql}, '') as v${index}`);
  const using = names.map((_, index) => `stored.v${index} = given.v${index}`);
  return `select given.at from (select ${['unnest($at) as at', 'unnest($t) as t', ...given].join(', ')}) given
    semi join (select ${['t', ...kept].join(', ')} from ${segment.table(dataset.path)}
      where account = $account and t between $from and $to) stored
    on ${using.join(' and ')} and abs(stored.t - given.t) <= ${tolerance}`;
}

function parametersOf(dataset: TelemetryDataset, candidates: readonly Candidate[]) {
  const names = identifyingMembers(dataset).map((_, index) => `v${index}`);
  const column = (index: number) => listValue(candidates.map(({ identity }) => identity.values[index] ?? ''));
  return {
    values: {
      at: listValue(candidates.map((_, index) => index)),
      t: listValue(candidates.map(({ identity }) => BigInt(identity.at))),
      ...Object.fromEntries(names.map((name, index) => [name, column(index)])),
    },
    types: {
      at: LIST(INTEGER),
      t: LIST(BIGINT),
      ...Object.fromEntries(names.map((name) => [name, LIST(VARCHAR)])),
    },
  };
}
