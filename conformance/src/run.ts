import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ServerProcess } from '@vedette/server/testing/process';
import { collectPlanted } from './inventory.ts';
import { reportsWhatWasPlanted } from './posture.ts';
import { type Emulators, PythonEnvironment } from './python.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    /** Approximate number of generated requests beyond those that cover each member of each operation. */
    cases: { type: 'string', default: '1000' },
  },
});
const suites = { sdk: passesSdkChecks, fuzz: passesFuzzing, inventory: collectsInventory } as const;
const offline = fileURLToPath(new URL('./offline.js', import.meta.url));

if (PythonEnvironment.isAvailable()) {
  process.exitCode = (await conforms()) ? 0 : 1;
} else {
  process.stdout.write('The conformance run was skipped: python3 with its module venv was not found.\n');
  process.exitCode = process.env.CI ? 1 : 0;
}

interface Workspace {
  readonly directory: string;
  readonly python: PythonEnvironment;
  start(name: string, environment: Readonly<Record<string, string>>): Promise<ConformingServer>;
}

interface ConformingServer {
  readonly url: string;
  /** Output at start-up. */
  readonly greeting: string;
  readonly dataDirectory: string;
  readonly keyFile: string;
}

/** Runs each suite against its own server, in a temporary directory. */
async function conforms(): Promise<boolean> {
  const directory = mkdtempSync(join(tmpdir(), 'vedette-conformance-'));
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
  const servers: ServerProcess[] = [];
  process.once('exit', () => {
    PythonEnvironment.killAll();
    for (const server of servers) void server.kill();
    remove();
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const start: Workspace['start'] = async (name, environment) => {
    const dataDirectory = join(directory, name);
    const controlUrl = `sqlite:${join(dataDirectory, 'control.db')}`;
    const place = { directory: dataDirectory, controlUrl, remove: async () => remove() };
    const defaults = { VEDETTE_RATE_LIMIT: 'off', VEDETTE_LOG_LEVEL: 'warn' };
    const options = { environment: { ...defaults, ...environment }, workingDirectory: directory };
    const server = new ServerProcess(place, options);
    servers.push(server);
    const url = await server.url();
    await server.says(/^ {2}Python +.*\n/m);
    return { url, greeting: server.output, dataDirectory, keyFile: join(dataDirectory, 'api-key.json') };
  };
  try {
    const python = await PythonEnvironment.create(join(directory, 'python'));
    let isConforming = true;
    for (const [name, runSuite] of Object.entries(suites)) {
      if (values.only && values.only !== name) continue;
      if (!(await runSuite({ directory, python, start }))) isConforming = false;
    }
    return isConforming;
  } catch (error) {
    process.stdout.write(`FAILED ${error instanceof Error ? error.message : error}\n0 passed, 1 failed\n`);
    return false;
  } finally {
    await Promise.all(servers.map((server) => server.kill('SIGTERM')));
    PythonEnvironment.killAll();
  }
}

/** Drives the server through the public SDK. */
async function passesSdkChecks({ directory, python, start }: Workspace): Promise<boolean> {
  const emulators = await python.emulate(join(directory, 'mail'));
  const server = await start('data', { VEDETTE_TLS: 'self', ...emulatorSettings(emulators) });
  const isPasted = await python.paste(pythonCommand(server.greeting), directory);
  process.stdout.write(`${isPasted ? 'ok' : 'FAILED'} the Python command of the greeting runs unchanged\n`);
  const isChecked = await python.check({
    ...server,
    authority: join(server.dataDirectory, 'tls', 'ca.pem'),
    emulators,
  });
  return isPasted && isChecked;
}

function pythonCommand(greeting: string): string {
  return /^ {2}Python +(.*)$/m.exec(greeting)?.[1] ?? 'false';
}

/** Generates requests from the OpenAPI document and checks every response against it. */
async function passesFuzzing({ python, start }: Workspace): Promise<boolean> {
  const server = await start('fuzzed', { NODE_OPTIONS: `--import ${offline}` });
  return python.fuzz(server, values.cases);
}

/** Plants resources in an emulator of AWS, and compares with them what is collected, evaluated and reported. */
async function collectsInventory({ python, start }: Workspace): Promise<boolean> {
  const collected = await collectPlanted(await python.inventory());
  const isReported = await reportsWhatWasPlanted(collected, await start('posture', {}));
  return collected.isComplete && isReported;
}

function emulatorSettings({ aws, mail }: Emulators): Record<string, string> {
  return {
    VEDETTE_ALLOW_PRIVATE_TARGETS: 'true',
    VEDETTE_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    VEDETTE_MAIL_FROM: 'Vedette <vedette@example.com>',
    AWS_ENDPOINT_URL: aws.url,
    AWS_REGION: aws.region,
    AWS_ACCESS_KEY_ID: aws.service.id,
    AWS_SECRET_ACCESS_KEY: aws.service.secret,
  };
}
