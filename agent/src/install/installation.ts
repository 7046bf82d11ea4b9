import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { chmod, copyFile, cp, lstat, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ConfigurationError, defaultFile, readConfiguration, type SettingName } from '../configuration.ts';
import { nodeOptions } from './node-options.ts';
import { unitText } from './unit.ts';

const unit = 'vedette-agent.service';
const unitFile = `/etc/systemd/system/${unit}`;
const programDirectory = '/usr/local/lib/vedette-agent';

export interface InstallOptions {
  /** Written to the configuration; members that the file has already are kept. */
  readonly settings: Readonly<Partial<Record<SettingName, string>>>;
  /** Directory of another system, such as an image: nothing is started there. */
  readonly root?: string | undefined;
}

/** Writes the program, its configuration and its unit, and starts it. Returns what to tell the user. */
export async function install({ settings, root = '/' }: InstallOptions): Promise<string> {
  await checkHost(root);
  const file = join(root, defaultFile);
  const all = { ...(await settingsIn(file)), ...settings };
  const { server } = readConfiguration({ options: all, environment: {} });
  const program = await copyProgram(join(root, programDirectory));
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await write(file, `${JSON.stringify(all, undefined, 2)}\n`, 0o600);
  await mkdir(dirname(join(root, unitFile)), { recursive: true });
  const command = [process.execPath, ...nodeOptions, join(programDirectory, program)];
  await write(join(root, unitFile), unitText(command), 0o644);
  if (root !== '/')
    return `The agent is in ${root}. Enable it there: systemctl --root ${root} enable ${unit}`;
  await systemctl('daemon-reload');
  await systemctl('enable', unit);
  await systemctl('restart', unit);
  return [
    `The agent reports this host to ${server}.`,
    `  Service        systemctl status ${unit}`,
    `  Log            journalctl -u ${unit}`,
    `  Configuration  ${defaultFile}`,
    '  In Vedette     POST /api/v2/AgentInfo/search lists it within seconds.',
  ].join('\n');
}

/** Stops the agent and removes it. Its journal stays: it may have what was not sent yet. */
export async function uninstall(root = '/'): Promise<string> {
  await checkHost(root);
  const isInstalled = await lstat(join(root, unitFile)).then(
    () => true,
    () => false,
  );
  if (root === '/' && isInstalled) await systemctl('disable', '--now', unit);
  for (const path of [unitFile, programDirectory, defaultFile])
    await rm(join(root, path), { recursive: true, force: true });
  if (root === '/' && isInstalled) await systemctl('daemon-reload');
  return isInstalled
    ? 'The agent was removed; its journal is still in /var/lib/vedette-agent.'
    : 'No agent was installed here.';
}

async function checkHost(root: string): Promise<void> {
  if (process.platform !== 'linux') throw new ConfigurationError('The agent runs on Linux only.');
  if (root !== '/') return;
  if (process.geteuid?.() !== 0)
    throw new ConfigurationError('Only root may install the agent: run the command with sudo.');
  await lstat('/run/systemd/system').catch(() => {
    throw new ConfigurationError(
      'This host is not run by systemd: start `vedette agent` by its init system, with the settings of `vedette agent --help`.',
    );
  });
}

/** The settings of an earlier installation. */
async function settingsIn(file: string): Promise<Readonly<Record<string, string>>> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new ConfigurationError(`${file} can not be read: ${(error as Error).message}`);
  }
}

/** Copies this program, which is one file or the directory of its modules, and returns the name of what is run. */
async function copyProgram(target: string): Promise<string> {
  const own = fileURLToPath(import.meta.url);
  // Built anew beside it, so that a running agent never sees half a program.
  const fresh = `${target}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true, mode: 0o755 });
  const isBundle = own.endsWith('.mjs');
  if (isBundle) await copyFile(own, join(fresh, 'vedette-agent.mjs'), constants.COPYFILE_EXCL);
  else {
    const modules = dirname(dirname(own));
    await cp(modules, join(fresh, 'dist'), { recursive: true, filter: isShipped });
    await copyFile(join(modules, '../package.json'), join(fresh, 'package.json'));
  }
  await rm(target, { recursive: true, force: true });
  await rename(fresh, target);
  return isBundle ? 'vedette-agent.mjs' : 'dist/main.js';
}

function isShipped(path: string): boolean {
  return !/\.(?:d\.ts|map|mjs|test\.js|sample\.js)$|\/testing$/.test(path);
}

/** Never readable by others in between: it may have the token. */
async function write(path: string, content: string, mode: number): Promise<void> {
  await rm(`${path}.new`, { force: true });
  const file = await open(`${path}.new`, 'wx', 0o600);
  await file.writeFile(content).finally(() => file.close());
  await chmod(`${path}.new`, mode);
  await rename(`${path}.new`, path);
}

async function systemctl(...words: string[]): Promise<void> {
  await promisify(execFile)('systemctl', words).catch((error: Error & { stderr?: string }) => {
    throw new ConfigurationError(
      `systemctl ${words.join(' ')} failed: ${error.stderr?.trim() || error.message}`,
    );
  });
}
