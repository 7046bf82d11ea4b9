import { spawn } from 'node:child_process';
import { once } from 'node:events';

const endMark = 'end of the block, status';

/** One shell into which blocks are pasted one after the other, as a reader does: variables and functions stay. */
export class Shell {
  readonly #child;
  #output = '';
  #wake: () => void = () => {};

  constructor(cwd: string, environment: NodeJS.ProcessEnv) {
    this.#child = spawn('bash', [], { cwd, env: environment, stdio: ['pipe', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
        this.#wake();
      });
    this.#child.once('close', () => {
      this.#output += `\n${endMark} 1\n`;
      this.#wake();
    });
  }

  /** What a block writes, and the status of its last command. A command that fails ends the block. */
  async run(block: string): Promise<{ readonly status: number; readonly output: string }> {
    this.#output = '';
    // In a group, so that the whole block is read before its first command can take input away from it.
    this.#child.stdin.write(
      `{ set -e\n${block}\n} < /dev/null; status=$?; set +e; echo; echo "${endMark} $status"\n`,
    );
    for (;;) {
      const found = new RegExp(`\\n${endMark} (\\d+)\\n`).exec(this.#output);
      if (found) return { status: Number(found[1]), output: this.#output.slice(0, found.index) };
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
