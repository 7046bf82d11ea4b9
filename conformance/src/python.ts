import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../python/', import.meta.url));
const running = new Set<ChildProcess>();

/** A Python of its own, with the SDK that the checks drive. */
export class PythonEnvironment {
  readonly #program: string;

  private constructor(directory: string) {
    this.#program = join(directory, 'bin', 'python');
  }

  /** Debian packs the part that makes virtual environments apart from Python itself. */
  static isPossible(): boolean {
    return spawnSync('python3', ['-c', 'import ensurepip, venv'], { stdio: 'ignore' }).status === 0;
  }

  static async create(directory: string): Promise<PythonEnvironment> {
    const environment = new PythonEnvironment(directory);
    await quietly('python3', ['-m', 'venv', directory]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
    await quietly(environment.#program, [...pip, '-r', join(folder, 'requirements.txt')]);
    return environment;
  }

  /** Runs the checks against a server; they say on the standard output how each went. */
  async check(url: string, keyFile: string, authority: string): Promise<boolean> {
    const child = spawn(this.#program, ['-B', join(folder, 'run.py'), url, keyFile], {
      env: { ...withoutSettings(process.env), REQUESTS_CA_BUNDLE: authority },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    return (await end(child)) === 0;
  }

  static killAll(): void {
    for (const child of running) child.kill('SIGKILL');
  }
}

/** What the program writes matters only when it fails. */
async function quietly(program: string, parameters: readonly string[]): Promise<void> {
  const child = spawn(program, parameters, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  if ((await end(child)) !== 0)
    throw new Error(`${program} ${parameters.join(' ')} failed:\n${output.trim()}`);
}

async function end(child: ChildProcess): Promise<number | null> {
  running.add(child);
  const [code] = await once(child, 'close').finally(() => running.delete(child));
  return code;
}

/** Accounts, tokens and proxies of the developer's own would lead the SDK elsewhere. */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !/^LW_|_proxy$/i.test(name)));
}
