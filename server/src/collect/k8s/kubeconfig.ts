import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { CollectError } from '../inventory/problem.ts';
import { isObject } from './object.ts';

/** The settings of one cluster or user, and the directory to which their paths are relative. */
export interface KubeconfigEntry {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly directory: string;
}

/** The contexts of all files of a kubeconfig. */
export interface Kubeconfig {
  readonly currentContext: string;
  readonly contexts: ReadonlyMap<string, KubeconfigEntry>;
  readonly clusters: ReadonlyMap<string, KubeconfigEntry>;
  readonly users: ReadonlyMap<string, KubeconfigEntry>;
}

/** Far more than any list of clusters. */
const maxBytes = 4 * 1024 * 1024;

/** The files of KUBECONFIG, or the usual one. Undefined if there is none. */
export async function readKubeconfig(environment: NodeJS.ProcessEnv): Promise<Kubeconfig | undefined> {
  const named = (environment.KUBECONFIG ?? '').split(delimiter).filter((path) => path !== '');
  const usual = join(environment.HOME ?? homedir(), '.kube', 'config');
  const paths = named.length > 0 ? named : [usual];
  const files: { path: string; text: string }[] = [];
  for (const path of paths) {
    // As other tools do, files of the list that do not exist are passed over.
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw invalid(path, `it could not be read (${error.code})`);
    });
    if (text !== undefined) files.push({ path, text });
  }
  if (files.length === 0 && named.length === 0) return undefined;
  if (files.length === 0)
    throw new CollectError({
      status: 'failed',
      reason: `KUBECONFIG names no file that exists: ${named.join(', ')}.`,
    });
  return merged(await Promise.all(files.map(({ path, text }) => parsed(path, text))));
}

interface File {
  readonly path: string;
  readonly content: Readonly<Record<string, unknown>>;
}

async function parsed(path: string, text: string): Promise<File> {
  if (text.length > maxBytes) throw invalid(path, `it is larger than ${maxBytes} bytes`);
  const { parse } = await import('yaml');
  let content: unknown;
  try {
    content = parse(text, { logLevel: 'error' });
  } catch (error) {
    // Only the first line: the others quote the file.
    throw invalid(path, `it is not YAML: ${(error as Error).message.split(/:?\n/)[0]}`);
  }
  if (!isObject(content)) throw invalid(path, 'it is not an object');
  return { path, content };
}

/** The first file that has a name wins. */
function merged(files: readonly File[]): Kubeconfig {
  const entries = (list: string, member: string) => {
    const found = new Map<string, KubeconfigEntry>();
    for (const { path, content } of files)
      for (const entry of Array.isArray(content[list]) ? content[list] : []) {
        if (!isObject(entry) || typeof entry.name !== 'string' || found.has(entry.name)) continue;
        const settings = isObject(entry[member]) ? entry[member] : {};
        found.set(entry.name, { settings, directory: dirname(resolve(path)) });
      }
    return found;
  };
  const current = files
    .map(({ content }) => content['current-context'])
    .find((name) => typeof name === 'string' && name);
  return {
    currentContext: typeof current === 'string' ? current : '',
    contexts: entries('contexts', 'context'),
    clusters: entries('clusters', 'cluster'),
    users: entries('users', 'user'),
  };
}

/** Base64 in the entry itself, or a file that it names. */
export async function dataOf(
  { settings, directory }: KubeconfigEntry,
  name: string,
): Promise<string | undefined> {
  const data = settings[`${name}-data`];
  if (typeof data === 'string' && data !== '') return Buffer.from(data, 'base64').toString();
  const path = settings[name];
  if (typeof path !== 'string' || path === '') return undefined;
  return readFile(pathIn(directory, path), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw invalid(path, `${name} could not be read (${error.code})`);
  });
}

export function pathIn(directory: string, path: string): string {
  return isAbsolute(path) ? path : join(directory, path);
}

function invalid(path: string, problem: string): CollectError {
  return new CollectError({ status: 'failed', reason: `The kubeconfig ${path} is not usable: ${problem}.` });
}
