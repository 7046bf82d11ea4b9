import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Block } from './blocks.ts';
import { allBlocks } from './documents.ts';
import { Shell } from './shell.ts';

/** Expected output, such as an alert, may take time to appear. */
const retries = { attempts: 60, pause: 2_000 };
const defaultPort = '8480';

/** Runs the code blocks of README and docs as a newcomer would: in a fresh clone, one after the other. */
const root = fileURLToPath(new URL('../../..', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'vedette-documents-'));
const clone = join(directory, 'vedette');
execFileSync('git', ['clone', '--quiet', root, clone]);
const port = await freePort();
// Another server may use the default port, so the blocks run with this one.
const environment = { ...process.env, VEDETTE_PORT: port };
const blocks = allBlocks(clone).map((block) => ({
  ...block,
  text: block.text.replaceAll(defaultPort, port),
}));

let server: ReturnType<typeof spawn> | undefined;
let failed = false;
try {
  await runAll();
} catch (error) {
  failed = true;
  process.stdout.write(`${error instanceof Error ? error.message : error}\n`);
} finally {
  if (server?.pid) {
    const ended = once(server, 'close');
    process.kill(-server.pid, 'SIGTERM');
    await ended;
  }
  rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
}
process.exitCode = failed ? 1 : 0;

async function runAll(): Promise<void> {
  let shell: Shell | undefined;
  let document = '';
  const counts = { run: 0, checked: 0 };
  for (const block of blocks) {
    if (block.kind === 'server') await startServer(block);
    if (block.kind === 'elsewhere') counts.checked++;
    if (block.kind !== 'shell') continue;
    if (block.document !== document) {
      await shell?.close();
      shell = new Shell(clone, environment);
      document = block.document;
    }
    await paste(shell as Shell, block);
    counts.run++;
  }
  await shell?.close();
  process.stdout.write(
    `Ran ${counts.run} blocks of README and docs in a fresh clone; checked the syntax of ${counts.checked} blocks that need another host.\n`,
  );
}

async function paste(shell: Shell, { document, line, text, shows }: Block): Promise<void> {
  process.stdout.write(`${document}:${line}\n`);
  for (let attempt = 1; ; attempt++) {
    const { status, output } = await shell.run(text);
    if (status !== 0)
      throw new Error(`FAILED ${document}:${line} with status ${status}:\n${text}\n${output}`);
    if (shows === undefined || output.includes(shows)) return;
    if (attempt === retries.attempts)
      throw new Error(`FAILED ${document}:${line}: the output does not show ${shows}:\n${output}`);
    await setTimeout(retries.pause);
  }
}

async function startServer({ document, line, text }: Block): Promise<void> {
  process.stdout.write(`${document}:${line} (keeps running)\n`);
  // A separate process group, so that npm, its shell and the server are stopped together.
  const child = spawn('bash', ['-c', text], { cwd: clone, env: environment, detached: true });
  server = child;
  let output = '';
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
        if (/ is ready at /.test(output)) resolve();
      });
    child.once('close', () => reject(new Error(`FAILED ${document}:${line}: the server ended:\n${output}`)));
  });
}

async function freePort(): Promise<string> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as { port: number };
  listener.close();
  await once(listener, 'close');
  return String(port);
}
