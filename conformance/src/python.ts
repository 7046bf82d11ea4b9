import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../python/', import.meta.url));
const running = new Set<ChildProcess>();

/** The output of `emulators.py`, as far as the server needs it. */
export interface Emulators {
  readonly aws: {
    readonly url: string;
    readonly region: string;
    readonly service: { readonly id: string; readonly secret: string };
  };
  readonly mail: { readonly port: number };
}

/** A resource as the collector must find it. */
export interface PlantedResource {
  readonly kind: string;
  readonly region: string;
  readonly key: string;
  /** Members that its configuration must have. */
  readonly config: Readonly<Record<string, unknown>>;
}

export interface PlantedInventory {
  readonly url: string;
  readonly regions: readonly string[];
  plant(): Promise<readonly PlantedResource[]>;
}

export interface CheckedServer {
  readonly url: string;
  readonly keyFile: string;
  /** Certificate authority of the server. */
  readonly authority: string;
  readonly emulators: Emulators;
}

/** A virtual environment with the SDK that the checks use. */
export class PythonEnvironment {
  readonly #program: string;

  private constructor(directory: string) {
    this.#program = join(directory, 'bin', 'python');
  }

  /** Debian packages ensurepip and venv separately. */
  static isAvailable(): boolean {
    return spawnSync('python3', ['-c', 'import ensurepip, venv'], { stdio: 'ignore' }).status === 0;
  }

  static async create(directory: string): Promise<PythonEnvironment> {
    const environment = new PythonEnvironment(directory);
    await quietly('python3', ['-m', 'venv', directory]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
    await quietly(environment.#program, [...pip, '-r', join(folder, 'requirements.txt')]);
    return environment;
  }

  /** Starts the emulators; they end with this process. */
  async emulate(mailDirectory: string): Promise<Emulators> {
    const child = spawn(this.#program, ['-B', join(folder, 'emulators.py'), mailDirectory], {
      env: withoutSettings(process.env),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = end(child);
    for await (const line of createInterface(child.stdout)) {
      // Its libraries print other lines first.
      if (line.startsWith('{')) return JSON.parse(line) as Emulators;
    }
    throw new Error(`emulators.py ended with ${await ended} before it was ready.`);
  }

  /** Starts an emulator of AWS in which resources are planted later; it ends with this process. */
  async inventory(): Promise<PlantedInventory> {
    const child = spawn(this.#program, ['-B', join(folder, 'inventory', 'run.py')], {
      env: withoutSettings(process.env),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = end(child);
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const next = async <T>(): Promise<T> => {
      // Its libraries print other lines first.
      for (let line = await lines.next(); !line.done; line = await lines.next())
        if (/^[{[]/.test(line.value)) return JSON.parse(line.value) as T;
      throw new Error(`inventory/run.py ended with ${await ended} before it was ready.`);
    };
    const { url, regions } = await next<{ url: string; regions: string[] }>();
    const plant = () => {
      child.stdin.write('plant\n');
      return next<PlantedResource[]>();
    };
    return { url, regions, plant };
  }

  /** Runs the checks against a server; they print their results to standard output. */
  async check(server: CheckedServer): Promise<boolean> {
    const { url, keyFile, authority, emulators } = server;
    const parameters = [join(folder, 'run.py'), url, keyFile, JSON.stringify(emulators)];
    const child = spawn(this.#program, ['-B', ...parameters], {
      env: { ...withoutSettings(process.env), REQUESTS_CA_BUNDLE: authority },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    return (await end(child)) === 0;
  }

  /** Runs a command line with the SDK installed; its output must contain the user of the key. */
  async paste(line: string, directory: string): Promise<boolean> {
    const child = spawn('sh', ['-c', line], {
      cwd: directory,
      env: { ...withoutSettings(process.env), PATH: `${dirname(this.#program)}:${process.env.PATH}` },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
    return (await end(child)) === 0 && output.includes("'username': 'admin@local'");
  }

  /** Sends generated requests to every operation; prints the result to standard output. */
  async fuzz({ url, keyFile }: Pick<CheckedServer, 'url' | 'keyFile'>, cases: string): Promise<boolean> {
    const parameters = [join(folder, 'fuzz', 'run.py'), url, keyFile, cases];
    const child = spawn(this.#program, ['-B', ...parameters], {
      env: withoutSettings(process.env),
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    return (await end(child)) === 0;
  }

  static killAll(): void {
    for (const child of running) child.kill('SIGKILL');
  }
}

/** Shows the output only if the program fails. */
async function quietly(program: string, parameters: readonly string[]): Promise<void> {
  const child = spawn(program, parameters, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
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

/** Accounts, tokens and proxies of the developer's environment would redirect the SDK. */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/^(?:LW|AWS)_|_proxy$/i.test(name)),
  );
}
