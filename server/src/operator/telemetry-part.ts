import { type Static, Type } from 'typebox';
import { Refusal } from '../platform/errors.ts';
import { isMoment } from '../platform/instant.ts';
import { Validator } from '../platform/validator.ts';
import { datasets } from '../telemetry/datasets.ts';
import { recordSeparator } from '../telemetry/record-texts.ts';
import type { Holdings, Successor } from '../telemetry/store.ts';
import { type ArchiveReader, tooEarly, unreadable } from './archive-reader.ts';
import type { Progress } from './progress.ts';

/** What the header says of the telemetry in an archive. */
export const TelemetryCounts = Type.Object({
  batches: Type.Integer({ minimum: 0 }),
  records: Type.Integer({ minimum: 0 }),
});

/** The last moment of the year 9999. */
const lastMoment = 253_402_300_799_999;

/** What stands before the records of a batch, which follow as they came with a separator between them. */
const BatchLine = Type.Object({
  seq: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  account: Type.String({ minLength: 1 }),
  dataset: Type.String(),
  received: Type.Integer({ minimum: 0, maximum: lastMoment }),
  key: Type.Optional(Type.String({ minLength: 1 })),
  records: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }),
  /** Of the records with their separators, in UTF-8, without the end of the line. */
  bytes: Type.Integer({ minimum: 1 }),
});

const FurtherLine = Type.Object({
  day: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }),
  account: Type.String({ minLength: 1 }),
  dataset: Type.String(),
  name: Type.String(),
});

const validators = {
  batch: new Validator(BatchLine, 'file'),
  further: new Validator(FurtherLine, 'file'),
};

/** The telemetry of an archive. Records are neither parsed nor written anew, so that each stays as it came. */
export async function* telemetryPart(
  holdings: Holdings,
  progress: Progress,
): AsyncGenerator<string | Uint8Array> {
  for (const further of holdings.further) yield lineOf({ further });
  for await (const { text, idempotencyKey, ...rest } of holdings.read()) {
    const batch: Static<typeof BatchLine> = {
      ...rest,
      ...(idempotencyKey !== undefined && { key: idempotencyKey }),
      bytes: text.length,
    };
    yield lineOf({ batch });
    yield text;
    yield '\n';
    progress.advance(batch.records);
  }
}

/** Loads all of it, to the end of the archive; the successor is ready then. */
export async function loadTelemetry(
  reader: ArchiveReader,
  declared: Static<typeof TelemetryCounts>,
  successor: Successor,
  progress: Progress,
): Promise<void> {
  let [batches, records] = [0, 0];
  for (let line = await reader.line(); line; line = await reader.line()) {
    if ('further' in line) {
      successor.addFurther(readFurther(line.further));
    } else if ('batch' in line) {
      const { bytes, key: idempotencyKey, ...batch } = readBatch(line.batch);
      const text = await reader.bytes(bytes);
      if (countOf(text) !== batch.records) throw unreadable('a batch has not as many records as it says');
      await successor.add({ ...batch, idempotencyKey, text }).catch(refuseMisfit);
      batches++;
      records += batch.records;
      progress.advance(batch.records);
    } else throw unreadable('it goes on after its end');
  }
  if (batches !== declared.batches || records !== declared.records) throw tooEarly();
  await successor.ready().catch(refuseMisfit);
}

/** What the engine can not keep is the archive's fault. */
function refuseMisfit(error: unknown): never {
  const isMisfit = error instanceof Refusal && error.code === 'INVALID_INPUT';
  throw isMisfit ? unreadable('a record does not fit into its dataset') : error;
}

function readBatch(value: unknown): Static<typeof BatchLine> {
  if (validators.batch.problem(value)) throw unreadable('a batch is not described as it should be');
  const batch = value as Static<typeof BatchLine>;
  checkDataset(batch.dataset);
  return batch;
}

function readFurther(value: unknown): Static<typeof FurtherLine> {
  const member = value as Static<typeof FurtherLine>;
  if (validators.further.problem(value) || !isMoment(`${member.day}T00:00:00Z`))
    throw unreadable('a member is not described as it should be');
  checkDataset(member.dataset);
  return member;
}

function checkDataset(dataset: string): void {
  if (!datasets.some(({ path }) => path === dataset))
    throw unreadable(`it holds an unknown dataset '${dataset}': upgrade this server first`);
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
