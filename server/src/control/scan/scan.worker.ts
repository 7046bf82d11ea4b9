import { parentPort, workerData } from 'node:worker_threads';
import { Refusal } from '../../platform/errors.ts';
import { connectForReading, dialectOf } from '../connect.ts';
import { type PageFacts, scanPage } from './page-scan.ts';
import { scan } from './scan.ts';
import type { ScanAnswer, ScanOrder } from './scanner.ts';

const { url } = workerData as { url: string };
const db = await connectForReading<unknown>(url);
const dialect = dialectOf(url);

parentPort?.on('message', async (order: ScanOrder) => {
  const [answer, transfer] = await answerTo(order);
  parentPort?.postMessage(answer, transfer);
});

async function answerTo({ id, ...order }: ScanOrder): Promise<[ScanAnswer, ArrayBuffer[]]> {
  try {
    if ('request' in order)
      return written(id, new TextEncoder().encode(await scan(db, dialect, order.request)));
    const { text, ...page } = await scanPage(db, dialect, order.page);
    return written(id, text, page);
  } catch (error) {
    if (error instanceof Refusal) return [{ id, refusal: { code: error.code, message: error.message } }, []];
    return [{ id, failure: String(error) }, []];
  }
}

function written(id: number, text: Uint8Array, page?: PageFacts): [ScanAnswer, ArrayBuffer[]] {
  const isAlone = text.byteLength === text.buffer.byteLength;
  const buffer = (isAlone ? text : text.slice()).buffer as ArrayBuffer;
  return [{ id, json: buffer, page }, [buffer]];
}
