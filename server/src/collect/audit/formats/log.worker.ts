import { serve } from '../../../platform/pool-worker.ts';
import { type LogRequest, readLog } from './log-reader.ts';

serve(async (request: LogRequest) => ({ result: await readLog(request) }));
