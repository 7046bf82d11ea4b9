import { spawn } from 'node:child_process';
import { once } from 'node:events';

const endMarker = 'end of the block, status';

/** One shell that runs blocks one after the other, keeping variables and functions, as a reader does. */
export class Shell {
  readonly #child;
  #output = '';
  #wake: () => void = () => {};

  constructor(cwd: string, environment: NodeJS.ProcessEnv) {
    this.#child = spawn('bash', [], { cwd, env: environment, stdio: ['pipe', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        this.#output += chunk;
        this.#wake();
      });
    this.#child.once('close', () => {
      this.#output += `\n${endMarker} 1\n`;
      this.#wake();
    });
  }

  /** Returns the output of a block and the status of its last command. A failing command ends the block. */
  async run(block: string): Promise<{ readonly status: number; readonly output: string }> {
    this.#output = '';
    // Grouped, so that the shell reads the whole block before a command can consume its input.
    this.#child.stdin.write(
      `{ set -e\n${block}\n} < /dev/null; status=$?; set +e; echo; echo "${endMarker} $status"\n`,
    );
    for (;;) {
      const match = new RegExp(`\\n${endMarker} (\\d+)\\n`).exec(this.#output);
      if (match) return { status: Number(match[1]), output: this.#output.slice(0, match.index) };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async close(): Promise<void> {
    const closed = once(this.#child, 'close');
    this.#child.stdin.end();
    await closed;
  }
}
