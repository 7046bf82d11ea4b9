import { parentPort, workerData } from 'node:worker_threads';
import { Refusal } from '../../platform/errors.ts';
import { connectForReading, dialectOf } from '../connect.ts';
import { scan } from './scan.ts';
import type { ScanAnswer, ScanOrder } from './scanner.ts';

const { url } = workerData as { url: string };
const db = await connectForReading<unknown>(url);

parentPort?.on('message', async ({ id, request }: ScanOrder) => {
  const [answer, transfer] = await answerTo(id, request);
  parentPort?.postMessage(answer, transfer);
});

async function answerTo(id: number, request: ScanOrder['request']): Promise<[ScanAnswer, ArrayBuffer[]]> {
  try {
    const { buffer } = new TextEncoder().encode(await scan(db, dialectOf(url), request));
    return [{ id, json: buffer }, [buffer]];
  } catch (error) {
    if (error instanceof Refusal) return [{ id, refusal: { code: error.code, message: error.message } }, []];
    return [{ id, failure: String(error) }, []];
  }
}
