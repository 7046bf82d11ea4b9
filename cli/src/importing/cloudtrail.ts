import { createHash } from 'node:crypto';
import type { Report } from '../command.ts';
import type { Destination } from '../ingest/destination.ts';
import { IngestRequests } from '../ingest/ingest-requests.ts';
import type { Progress } from '../progress.ts';
import { UsageError } from '../usage-error.ts';
import { ImportFile } from './import-file.ts';

const name = 'CloudTrailRawEvents';
/** Events that came with an audit log or another file are left out. */
const path = `${name}?distinct=true`;
/** Small enough not to delay other clients of the server. */
const [maxRecords, maxCharacters] = [5_000, 4 * 1024 * 1024];

interface IngestResult {
  readonly accepted: number;
  readonly repeated: number;
}

/** Sends the events of CloudTrail objects, each of which is stored once. */
export async function importCloudTrail(
  paths: readonly string[],
  destination: Destination,
  progress: Progress,
): Promise<Report> {
  const requests = new IngestRequests(destination);
  const sent = { files: 0, events: 0, stored: 0, repeated: 0, ignored: 0 };
  try {
    for (const file of paths.map((one) => new ImportFile(one))) {
      const records = recordsIn(file, await file.json());
      const events = records.filter((record) => !isInsight(record));
      sent.ignored += records.length - events.length;
      for (const lines of batchesOf(events)) {
        const body = lines.join('\n');
        // The key follows from the content, whatever the file is called.
        const idempotencyKey = `import ${createHash('sha256').update(body).digest('hex')}`;
        const headers = { 'idempotency-key': idempotencyKey };
        const result = await file.explained(() =>
          requests.send<IngestResult>({ path, name, body, headers, isRepeatable: true }),
        );
        const { accepted = 0, repeated = 0 } = result ?? {};
        sent.events += lines.length;
        sent.stored += accepted - repeated;
        sent.repeated += lines.length - (accepted - repeated);
      }
      sent.files++;
      progress.show(sent.files / paths.length, sent.events);
    }
  } finally {
    requests.close();
  }
  const { files, events, stored, repeated, ignored } = sent;
  const insights = ignored > 0 ? ` ${ignored} Insights events were ignored.` : '';
  return {
    data: sent,
    text: `${events} events of ${files} files: ${stored} new, ${repeated} already stored.${insights}`,
  };
}

function recordsIn(file: ImportFile, content: unknown): object[] {
  const { Records, digestStartTime } = Object(content) as { Records?: unknown; digestStartTime?: unknown };
  if (digestStartTime !== undefined)
    throw new UsageError(`${file.path}: It is a digest, without events: use the files below CloudTrail/.`);
  if (!Array.isArray(Records))
    throw new UsageError(
      `${file.path}: It has no array Records: use the files below CloudTrail/ that AWS delivers.`,
    );
  const bad = Records.findIndex((record) => typeof record !== 'object' || record === null);
  if (bad >= 0) throw new UsageError(`${file.path}: Records[${bad}] is not an object.`);
  return Records;
}

/** They are statistics about events, without a caller. */
function isInsight(record: object): boolean {
  const { eventCategory, eventType } = record as { eventCategory?: unknown; eventType?: unknown };
  return eventCategory === 'Insight' || eventType === 'AwsCloudTrailInsight';
}

function* batchesOf(records: readonly object[]): Generator<string[]> {
  let [lines, characters]: [string[], number] = [[], 0];
  for (const record of records) {
    const line = JSON.stringify(record);
    if (lines.length > 0 && (lines.length >= maxRecords || characters + line.length > maxCharacters)) {
      yield lines;
      [lines, characters] = [[], 0];
    }
    lines.push(line);
    characters += line.length;
  }
  if (lines.length > 0) yield lines;
}
