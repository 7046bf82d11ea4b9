import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServerProcess } from '@vedette/server/testing/process';
import { type Emulators, PythonEnvironment } from './python.ts';

if (PythonEnvironment.isPossible()) {
  process.exitCode = (await conforms()) ? 0 : 1;
} else {
  process.stdout.write('The conformance run was skipped: python3 with its module venv was not found.\n');
  process.exitCode = process.env.CI ? 1 : 0;
}

/** Drives a server of its own through the SDK; both live in a directory that goes away at the end. */
async function conforms(): Promise<boolean> {
  const directory = mkdtempSync(join(tmpdir(), 'vedette-conformance-'));
  const data = join(directory, 'data');
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
  let server: ServerProcess | undefined;
  process.once('exit', () => {
    PythonEnvironment.killAll();
    server?.kill();
    remove();
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  try {
    const python = await PythonEnvironment.create(join(directory, 'python'));
    const emulators = await python.emulate(join(directory, 'mail'));
    server = new ServerProcess(
      { directory: data, controlUrl: `sqlite:${join(data, 'control.db')}`, remove: async () => remove() },
      {
        environment: {
          VEDETTE_TLS: 'self',
          VEDETTE_RATE_LIMIT: 'off',
          VEDETTE_LOG_LEVEL: 'warn',
          ...sendingTo(emulators),
        },
        workingDirectory: directory,
      },
    );
    return await python.check({
      url: await server.url(),
      keyFile: join(data, 'api-key.json'),
      authority: join(data, 'tls', 'ca.pem'),
      emulators,
    });
  } catch (error) {
    process.stdout.write(`FAILED ${error instanceof Error ? error.message : error}\n0 passed, 1 failed\n`);
    return false;
  } finally {
    await server?.kill('SIGTERM');
    PythonEnvironment.killAll();
  }
}

function sendingTo({ aws, mail }: Emulators): Record<string, string> {
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
