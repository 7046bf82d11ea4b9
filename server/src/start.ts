import { SecretKeyError } from './control/secret-key.ts';
import { causeOf, StoreUnavailable } from './control/store-failure.ts';
import { firstSignIn } from './first-sign-in.ts';
import { greeting } from './greeting.ts';
import { LocalAgent, type LocalAgentOptions, withoutLocalAgent } from './local-agent.ts';
import { type Service, startService } from './main.ts';
import { systemClock } from './platform/clock.ts';
import { ConfigurationError, readConfiguration } from './platform/configuration.ts';
import { DirectoryInUseError } from './platform/data-directory.ts';
import { createLog } from './platform/log.ts';
import { isFull } from './platform/sqlite-error.ts';
import { StartError } from './platform/start-error.ts';
import { DamagedDaysError } from './telemetry/damaged-days.ts';

/** After this time, in milliseconds, the process exits even if the service has not stopped. */
const stopTimeout = 30_000;

// Database engines create files themselves; these must be private as well.
process.umask(0o077);

try {
  const { configuration, warnings } = readConfiguration(process.env);
  const log = createLog(configuration.VEDETTE_LOG_LEVEL);
  for (const warning of warnings) log.warn(warning);
  const service = await startService({ configuration, clock: systemClock, log });
  let agent: LocalAgent | undefined;
  let stopping = false;
  const stop = (signal: string) => {
    // The terminal and npm may both forward the same Ctrl-C; the second signal must not abort the stop.
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), stopTimeout).unref();
    // The agent first, so that what it has observed is still taken.
    Promise.resolve(agent?.stop())
      .then(() => service.stop())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.fatal({ error: String(error) }, 'the service did not stop cleanly');
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // Standard output has the log: unless it is a terminal, other output must not be mixed into it.
  const output = process.stdout.isTTY ? process.stdout : process.stderr;
  const host = withoutLocalAgent(configuration);
  // After the signal handlers are set, because a reader of the message may send a signal at once.
  output.write(
    greeting(configuration, service.url, {
      heldSince: await service.heldSince(),
      isKeyAccepted: await service.acceptsKeyFile(),
      signIn: await firstSignIn(service, {
        dataDirectory: configuration.VEDETTE_DATA_DIR,
        isTerminal: output.isTTY,
      }),
      host,
    }),
  );
  if (host === undefined && !stopping) agent = await localAgent(service, { configuration, log });
} catch (error) {
  const expected = [
    ConfigurationError,
    DirectoryInUseError,
    SecretKeyError,
    DamagedDaysError,
    StartError,
  ].some((kind) => error instanceof kind);
  process.stderr.write(`${explain(error as NodeJS.ErrnoException, expected)}\n`);
  process.exit(1);
}

/** Undefined if its token was disabled: the server runs without it. */
async function localAgent(
  service: Service,
  { configuration, log }: Pick<LocalAgentOptions, 'configuration' | 'log'>,
): Promise<LocalAgent | undefined> {
  try {
    // A certificate of one's own names the public address.
    const url = configuration.VEDETTE_TLS_CERT ? service.url : service.localUrl;
    return new LocalAgent({ configuration, log, url, token: await service.localAgentToken() });
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'the agent of this host was not started');
    return undefined;
  }
}

function explain(error: NodeJS.ErrnoException, expected: boolean): string {
  if (expected) return error.message;
  if (error instanceof StoreUnavailable && !error.isAway) return explain(error.cause as Error, false);
  if (error instanceof StoreUnavailable)
    return `The control store can not be reached (${causeOf(error)}): start PostgreSQL, or check VEDETTE_CONTROL_URL.`;
  if (error.code === 'ENOSPC' || isFull(error))
    return `The disk is full (${error.message}): free some space where VEDETTE_DATA_DIR is.`;
  if (error.code === 'ERR_SQLITE_ERROR')
    return `A file of the data directory can not be used (${error.message}): check the disk of VEDETTE_DATA_DIR, and whether another program uses the file.`;
  if (error.syscall && error.path)
    return `A file can not be used (${error.message}): correct it or its permissions, or set VEDETTE_DATA_DIR.`;
  if (error.code === 'EADDRINUSE')
    return `${error.message}: another program listens there; set VEDETTE_PORT to another port.`;
  return `Vedette could not start: ${error.stack ?? error.message}`;
}
