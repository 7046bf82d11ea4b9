import { type Static, Type } from 'typebox';
import { Refusal } from '../platform/errors.ts';
import { isTimestamp } from '../platform/instant.ts';
import { Validator } from '../platform/validator.ts';
import { datasets } from '../telemetry/datasets.ts';
import { recordSeparator } from '../telemetry/record-strings.ts';
import type { Holdings, Kept, ReplacementStore } from '../telemetry/store.ts';
import { type ArchiveReader, tooEarly, unreadable } from './archive-reader.ts';
import type { Progress } from './progress.ts';

/** What the header says of the telemetry in an archive. */
export const TelemetryCounts = Type.Object({
  batches: Type.Integer({ minimum: 0 }),
  records: Type.Integer({ minimum: 0 }),
  /** Versions of cloud resources; archives from before there were any say nothing. */
  resources: Type.Optional(Type.Integer({ minimum: 0 })),
});

/** The last moment of the year 9999. */
const lastInstant = 253_402_300_799_999;

const owned = {
  day: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }),
  account: Type.String({ minLength: 1 }),
  dataset: Type.String({ minLength: 1 }),
};
const seq = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const records = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 });

const instant = Type.Integer({ minimum: 0, maximum: lastInstant });

/** The lines of telemetry, by the one member that each has. */
const forms = {
  resource: Type.Object({
    account: owned.account,
    kind: Type.String({ minLength: 1 }),
    cloudAccount: Type.String(),
    key: Type.String(),
    facts: Type.Record(Type.String(), Type.String()),
    config: Type.String(),
    tags: Type.Optional(Type.String()),
    ...{ since: instant, until: Type.Optional(instant), seenStarted: instant, seenEnded: instant },
  }),
  further: Type.Object({ ...owned, name: Type.String() }),
  batch: Type.Object({
    ...{ ...owned, seq, records },
    received: instant,
    key: Type.Optional(Type.String({ minLength: 1 })),
    digest: Type.Optional(Type.String({ minLength: 1 })),
  }),
  /** The records follow as they came with a separator between them: so many bytes, and the end of the line. */
  records: Type.Object({ ...owned, seq, records, bytes: Type.Integer({ minimum: 1 }) }),
};

type Name = keyof typeof forms;

const validators: Record<Name, Validator> = {
  resource: new Validator(forms.resource, 'file'),
  further: new Validator(forms.further, 'file'),
  batch: new Validator(forms.batch, 'file'),
  records: new Validator(forms.records, 'file'),
};

/** The telemetry of an archive. Records are neither parsed nor written anew, so that each stays as it came. */
export async function* telemetryPart(
  holdings: Holdings,
  progress: Progress,
): AsyncGenerator<string | Uint8Array> {
  for await (const kept of holdings.read()) {
    if (!('records' in kept)) {
      yield lineOf(kept);
      continue;
    }
    const { records, text } = kept;
    yield lineOf({ records: { ...records, bytes: text.length } });
    yield text;
    yield '\n';
    progress.advance(records.records);
  }
}

/** Loads all of it, to the end of the archive; the replacement is ready then. */
export async function loadTelemetry(
  reader: ArchiveReader,
  declared: Static<typeof TelemetryCounts>,
  replacement: ReplacementStore,
  progress: Progress,
): Promise<void> {
  const found = { batches: 0, records: 0, resources: 0 };
  for (let line = await reader.line(); line; line = await reader.line()) {
    const kept = await readKept(reader, line);
    await replacement.add(kept).catch(refuseMisfit);
    if ('resource' in kept) found.resources++;
    if ('batch' in kept) found.batches++;
    if ('records' in kept) {
      found.records += kept.records.records;
      progress.advance(kept.records.records);
    }
  }
  const { batches, records, resources = 0 } = declared;
  if (found.batches !== batches || found.records !== records || found.resources !== resources)
    throw tooEarly();
  await replacement.ready().catch(refuseMisfit);
}

async function readKept(reader: ArchiveReader, line: object): Promise<Kept> {
  if ('resource' in line) return { resource: check('resource', line.resource) };
  if ('further' in line) return { further: check('further', line.further) };
  if ('batch' in line) return { batch: check('batch', line.batch) };
  if (!('records' in line)) throw unreadable('there is data after its end');
  const { bytes, ...records } = check('records', line.records);
  if (!datasets.some(({ path }) => path === records.dataset))
    throw unreadable(`it contains an unknown dataset '${records.dataset}': upgrade this server first`);
  const text = await reader.bytes(bytes);
  if (countOf(text) !== records.records)
    throw unreadable('the number of records in a batch does not match its header');
  return { records, text };
}

function check<Of extends Name>(name: Of, value: unknown): Static<(typeof forms)[Of]> {
  // A resource is of no day.
  const { day = '1970-01-01' } = (value ?? {}) as { readonly day?: unknown };
  if (validators[name].problems(value).length > 0 || !isTimestamp(`${day}T00:00:00Z`))
    throw unreadable('a telemetry line is invalid');
  return value as Static<(typeof forms)[Of]>;
}

/** What the engine can not keep is the archive's fault. */
function refuseMisfit(error: unknown): never {
  const isMisfit = error instanceof Refusal && error.code === 'INVALID_INPUT';
  throw isMisfit ? unreadable('a record does not match its dataset') : error;
}

const separator = recordSeparator.charCodeAt(0);

function countOf(text: Uint8Array): number {
  let count = 1;
  for (let place = text.indexOf(separator); place >= 0; place = text.indexOf(separator, place + 1)) count++;
  return count;
}

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
