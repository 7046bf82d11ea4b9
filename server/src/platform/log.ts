import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/** Logs JSON lines to standard output. Callers log route templates and ids, never URLs, headers or bodies. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return destination ? pino(options, destination) : pino(options);
}
