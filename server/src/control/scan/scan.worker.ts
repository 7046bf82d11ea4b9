import { workerData } from 'node:worker_threads';
import { type Outcome, serve } from '../../platform/pool-worker.ts';
import { checkPatterns } from '../../search/filter.ts';
import { matchingStrings } from '../../search/string-search.ts';
import { connectForReading, dialectOf } from '../connect.ts';
import { scanPage } from './page-scan.ts';
import { scan } from './scan.ts';
import type { ScanOrder, ScanResult } from './scanner.ts';

const { url, name } = workerData as { url: string; name: string };
const dialect = dialectOf(url);
let connection: ReturnType<typeof connectForReading<unknown>> | undefined;
/** Connects with the first order that reads the store. */
const connected = () => (connection ??= connectForReading<unknown>(url, { connections: 2, name }));

serve(async (order: ScanOrder): Promise<Outcome<ScanResult>> => {
  if ('scan' in order) return transferred(encode(await scan(await connected(), dialect, order.scan)));
  if ('page' in order) {
    const { text, ...page } = await scanPage(await connected(), dialect, order.page);
    return transferred(text, page);
  }
  if ('records' in order) {
    return transferred(encode(`{"data":[${matchingStrings(order.records, order.search).join(',')}]}`));
  }
  checkPatterns(order.patterns);
  return { result: {} };
});

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function transferred(text: Uint8Array, page?: ScanResult['page']): Outcome<ScanResult> {
  const ownsBuffer = text.byteLength === text.buffer.byteLength;
  const json = (ownsBuffer ? text : text.slice()).buffer as ArrayBuffer;
  return { result: { json, page }, transfer: [json] };
}
