import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';

const shell = realpathSync('/bin/sh');
/** Says that the program runs, and waits until its input is closed, also by the end of the tests. */
export const waiting = 'echo ready; read -r line';

/** Harmless programs that run until the end of a test: copies of the shell under the names that policies look for. */
export class LivePrograms {
  readonly #directory = executableDirectory();
  readonly #children: ChildProcess[] = [];
  readonly #servers: Server[] = [];
  readonly #connections: Socket[] = [];

  /** Copies the shell to a path below a temporary directory. */
  copy(path: string): string {
    const place = join(this.#directory, path);
    mkdirSync(dirname(place), { recursive: true });
    copyFileSync(shell, place);
    return place;
  }

  delete(place: string): void {
    rmSync(place);
  }

  /** Starts a program and returns its pid when it runs. */
  async run(program: string, parameters: readonly string[]): Promise<number> {
    const child = spawn(program, parameters, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#children.push(child);
    // Rejects if it can not be started.
    await once(child.stdout, 'data');
    return child.pid as number;
  }

  /** Listens on the loopback interface and returns the port. */
  async listen(): Promise<number> {
    const server = createServer((socket) => {
      this.#connections.push(socket.on('error', () => {}));
    });
    this.#servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return (server.address() as { port: number }).port;
  }

  async end(): Promise<void> {
    for (const socket of this.#connections) socket.destroy();
    for (const server of this.#servers) server.close();
    for (const child of this.#children) {
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** Policies look into these two; one of them may be mounted without the right to execute. */
function executableDirectory(): string {
  for (const parent of ['/tmp', '/var/tmp']) {
    const directory = mkdtempSync(join(parent, 'vedette-live-'));
    try {
      const program = join(directory, 'sh');
      copyFileSync(shell, program);
      execFileSync(program, ['-c', ':']);
      return directory;
    } catch {
      rmSync(directory, { recursive: true });
    }
  }
  throw new Error('Programs can be run neither in /tmp nor in /var/tmp: mount one of them without noexec.');
}
