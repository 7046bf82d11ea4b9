import { workerData } from 'node:worker_threads';
import { type Outcome, serve } from '../../platform/pool-worker.ts';
import { checkPatterns } from '../../search/filter.ts';
import { matchingStrings } from '../../search/string-search.ts';
import { connectForReading, dialectOf } from '../connect.ts';
import { scanPage } from './page-scan.ts';
import { scan } from './scan.ts';
import type { ScanResult, ScanTask } from './scanner.ts';

const { url, name } = workerData as { url: string; name: string };
const dialect = dialectOf(url);
let connection: ReturnType<typeof connectForReading<unknown>> | undefined;
/** Connects with the first task that reads the store. */
const connected = () => (connection ??= connectForReading<unknown>(url, { connections: 2, name }));

serve(async (task: ScanTask): Promise<Outcome<ScanResult>> => {
  if ('scan' in task) return transferred(encode(await scan(await connected(), dialect, task.scan)));
  if ('page' in task) {
    const { json, ...page } = await scanPage(await connected(), dialect, task.page);
    return transferred(json, page);
  }
  if ('records' in task) {
    return transferred(encode(`{"data":[${matchingStrings(task.records, task.search).join(',')}]}`));
  }
  checkPatterns(task.patterns);
  return { result: {} };
});

function encode(json: string): Uint8Array {
  return new TextEncoder().encode(json);
}

function transferred(bytes: Uint8Array, page?: ScanResult['page']): Outcome<ScanResult> {
  const ownsBuffer = bytes.byteLength === bytes.buffer.byteLength;
  const json = (ownsBuffer ? bytes : bytes.slice()).buffer as ArrayBuffer;
  return { result: { json, page }, transfer: [json] };
}
