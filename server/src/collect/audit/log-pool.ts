import { WorkerPool } from '../../platform/worker-pool.ts';
import type { LogReply, LogRequest } from './formats/log-reader.ts';

const seconds = 60;

/** Worker threads that read logs. */
export function logPool(): WorkerPool<LogRequest, LogReply> {
  return new WorkerPool({
    module: new URL('./formats/log.worker.js', import.meta.url),
    noun: 'audit log',
    seconds,
  });
}
