import { type Static, Type } from 'typebox';
import { Refusal } from '../platform/errors.ts';
import { isTimestamp } from '../platform/instant.ts';
import { Validator } from '../platform/validator.ts';
import { datasets } from '../telemetry/datasets.ts';
import { evaluationStatuses } from '../telemetry/evaluation.ts';
import { recordSeparator } from '../telemetry/record-strings.ts';
import { scopeStatuses } from '../telemetry/snapshot.ts';
import type { BackupEntry, BackupSource, ReplacementStore } from '../telemetry/store.ts';
import { type ArchiveReader, truncated, unreadable } from './archive-reader.ts';
import type { Progress } from './progress.ts';

/** Telemetry counts in the archive header. */
export const TelemetryCounts = Type.Object({
  batches: Type.Integer({ minimum: 0 }),
  records: Type.Integer({ minimum: 0 }),
  /** Versions of cloud resources; absent in older archives. */
  resources: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Results of policies for resources; absent in older archives. */
  evaluations: Type.Optional(Type.Integer({ minimum: 0 })),
});

/** The last millisecond of the year 9999. */
const lastInstant = 253_402_300_799_999;

const owned = {
  day: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }),
  account: Type.String({ minLength: 1 }),
  dataset: Type.String({ minLength: 1 }),
};
const seq = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const records = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 });

const instant = Type.Integer({ minimum: 0, maximum: lastInstant });
const position = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const scope = {
  account: owned.account,
  kind: Type.String({ minLength: 1 }),
  cloudAccount: Type.String(),
  region: Type.String(),
};
const policy = { account: owned.account, policyId: Type.String({ minLength: 1 }) };

/** Schemas of telemetry lines, by their only member. */
const lineSchemas = {
  resource: Type.Object({
    account: owned.account,
    kind: Type.String({ minLength: 1 }),
    cloudAccount: Type.String(),
    /** Absent in archives of releases whose snapshots contained all regions. */
    region: Type.Optional(Type.String()),
    key: Type.String(),
    facts: Type.Record(Type.String(), Type.String()),
    config: Type.String(),
    tags: Type.Optional(Type.String()),
    ...{ since: instant, until: Type.Optional(instant), seenStarted: instant, seenEnded: instant },
    /** Absent in archives of releases without evaluations, as those of attempts. */
    ...{ opened: Type.Optional(position), closed: Type.Optional(position) },
  }),
  attempt: Type.Object({
    ...{ ...scope, started: instant, ended: instant },
    status: Type.Enum([...scopeStatuses]),
    reason: Type.String(),
    resources: Type.Integer({ minimum: 0 }),
    unread: Type.Array(
      Type.Object({ key: Type.String(), status: Type.Enum(['denied', 'failed']), reason: Type.String() }),
    ),
    isComplete: Type.Boolean(),
    position: Type.Optional(position),
  }),
  scope: Type.Object({ ...scope, changed: position, statusChanged: position }),
  evaluation: Type.Object({
    ...{ ...policy, id: position, key: Type.String(), urn: Type.String(), place: Type.String() },
    ...{ status: Type.Enum([...evaluationStatuses]), reason: Type.String() },
    ...{ exceptionId: Type.Optional(Type.String()), result: Type.Optional(Type.String({ minLength: 1 })) },
    ...{ since: instant, openedAt: instant, until: Type.Optional(instant) },
    ...{ opened: position, closed: Type.Optional(position) },
  }),
  place: Type.Object({
    ...{ account: owned.account, place: Type.String(), provider: Type.String() },
    ...{ cloudAccount: Type.String(), region: Type.String(), firstAt: instant },
    facts: Type.Record(Type.String(), Type.String()),
  }),
  lastEvaluation: Type.Object({
    ...{ ...policy, provider: Type.String(), title: Type.String(), severity: Type.String() },
    ...{ section: Type.String(), basis: Type.String(), revision: position, covers: position, runAt: instant },
  }),
  run: Type.Object({
    ...{ account: owned.account, revision: position, runAt: instant },
    policyIds: Type.Array(Type.String({ minLength: 1 })),
  }),
  further: Type.Object({ ...owned, name: Type.String() }),
  batch: Type.Object({
    ...{ ...owned, seq, records },
    received: instant,
    key: Type.Optional(Type.String({ minLength: 1 })),
    digest: Type.Optional(Type.String({ minLength: 1 })),
  }),
  /** Followed by this number of bytes of unmodified records with separators, and a line break. */
  records: Type.Object({ ...owned, seq, records, bytes: Type.Integer({ minimum: 1 }) }),
};

type Name = keyof typeof lineSchemas;

const validators = Object.fromEntries(
  Object.entries(lineSchemas).map(([name, schema]) => [name, new Validator(schema, 'file')]),
) as Record<Name, Validator>;

/** Writes the telemetry of an archive. Records are copied without parsing, so that they stay byte-identical. */
export async function* writeTelemetry(
  holdings: BackupSource,
  progress: Progress,
): AsyncGenerator<string | Uint8Array> {
  for await (const entry of holdings.read()) {
    if (!('records' in entry)) {
      yield lineOf(entry);
      continue;
    }
    const { records, text } = entry;
    yield lineOf({ records: { ...records, bytes: text.length } });
    yield text;
    yield '\n';
    progress.advance(records.records);
  }
}

/** Loads all telemetry to the end of the archive and completes the replacement. */
export async function loadTelemetry(
  reader: ArchiveReader,
  declared: Static<typeof TelemetryCounts>,
  replacement: ReplacementStore,
  progress: Progress,
): Promise<void> {
  const loaded = { batches: 0, records: 0, resources: 0, evaluations: 0 };
  for (let line = await reader.line(); line; line = await reader.line()) {
    const entry = await readEntry(reader, line);
    await replacement.add(entry).catch(refuseInvalidRecord);
    if ('resource' in entry) loaded.resources++;
    if ('evaluation' in entry) loaded.evaluations++;
    if ('batch' in entry) loaded.batches++;
    if ('records' in entry) {
      loaded.records += entry.records.records;
      progress.advance(entry.records.records);
    }
  }
  const expected = { resources: 0, evaluations: 0, ...declared };
  for (const [name, count] of Object.entries(loaded))
    if (expected[name as keyof typeof loaded] !== count) throw truncated();
  await replacement.ready().catch(refuseInvalidRecord);
}

async function readEntry(reader: ArchiveReader, line: object): Promise<BackupEntry> {
  if ('resource' in line) {
    const resource = check('resource', line.resource);
    return { resource: { ...resource, region: resource.region ?? resource.facts.RESOURCE_REGION ?? '' } };
  }
  if ('attempt' in line) return { attempt: check('attempt', line.attempt) };
  if ('scope' in line) return { scope: check('scope', line.scope) };
  if ('evaluation' in line) return { evaluation: check('evaluation', line.evaluation) };
  if ('place' in line) return { place: check('place', line.place) };
  if ('lastEvaluation' in line) return { lastEvaluation: check('lastEvaluation', line.lastEvaluation) };
  if ('run' in line) return { run: check('run', line.run) };
  if ('further' in line) return { further: check('further', line.further) };
  if ('batch' in line) return { batch: check('batch', line.batch) };
  if (!('records' in line)) throw unreadable('there is data after its end');
  const { bytes, ...records } = check('records', line.records);
  if (!datasets.some(({ path }) => path === records.dataset))
    throw unreadable(`it contains an unknown dataset '${records.dataset}': upgrade this server first`);
  const content = await reader.bytes(bytes);
  if (countOf(content) !== records.records)
    throw unreadable('the number of records in a batch does not match its header');
  return { records, text: content };
}

function check<Of extends Name>(name: Of, value: unknown): Static<(typeof lineSchemas)[Of]> {
  // Resources have no day.
  const { day = '1970-01-01' } = (value ?? {}) as { readonly day?: unknown };
  if (validators[name].problems(value).length > 0 || !isTimestamp(`${day}T00:00:00Z`))
    throw unreadable('a telemetry line is invalid');
  return value as Static<(typeof lineSchemas)[Of]>;
}

/** Reports invalid records as errors of the archive. */
function refuseInvalidRecord(error: unknown): never {
  const isInvalid = error instanceof Refusal && error.code === 'INVALID_INPUT';
  throw isInvalid ? unreadable('a record does not match its dataset') : error;
}

const separator = recordSeparator.charCodeAt(0);

function countOf(text: Uint8Array): number {
  let count = 1;
  for (let index = text.indexOf(separator); index >= 0; index = text.indexOf(separator, index + 1)) count++;
  return count;
}

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
