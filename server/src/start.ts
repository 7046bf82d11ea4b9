import { SecretKeyError } from './control/secret-key.ts';
import { greeting } from './greeting.ts';
import { startService } from './main.ts';
import { systemClock } from './platform/clock.ts';
import { ConfigurationError, readConfiguration } from './platform/configuration.ts';
import { DirectoryInUseError } from './platform/data-directory.ts';
import { createLog } from './platform/log.ts';
import { DamagedDaysError } from './telemetry/damaged-days.ts';

/** How long a stop may take before the process ends all the same. */
const patience = 30_000;

try {
  const { configuration, warnings } = readConfiguration(process.env);
  const log = createLog(configuration.VEDETTE_LOG_LEVEL);
  for (const warning of warnings) log.warn(warning);
  const service = await startService({ configuration, clock: systemClock, log });
  let stopping = false;
  const stop = (signal: string) => {
    // A terminal and npm may both pass on the same Ctrl-C: the second one must not cut the first one short.
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), patience).unref();
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.fatal({ error: String(error) }, 'the service did not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // Last, because whoever reads it may already send a signal.
  process.stdout.write(greeting(configuration, service.url));
} catch (error) {
  const expected = [ConfigurationError, DirectoryInUseError, SecretKeyError, DamagedDaysError].some(
    (kind) => error instanceof kind,
  );
  process.stderr.write(`${explain(error as NodeJS.ErrnoException, expected)}\n`);
  process.exit(1);
}

function explain(error: NodeJS.ErrnoException, expected: boolean): string {
  if (expected) return error.message;
  if (/^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|28P01|28000|3D000)$/.test(error.code ?? ''))
    return `The control store can not be reached (${error.message}): check VEDETTE_CONTROL_URL.`;
  if (error.code === 'ENOSPC' || /disk is full/.test(error.message))
    return `The disk is full (${error.message}): free some space where VEDETTE_DATA_DIR is.`;
  if (error.code === 'EADDRINUSE')
    return `${error.message}: another program listens there; set VEDETTE_PORT to another port.`;
  return `Vedette could not start: ${error.stack ?? error.message}`;
}
