import { basename, dirname, isAbsolute, join } from 'node:path/posix';
import type { HostFiles } from '../../host/host-files.ts';
import type { HostProcess } from '../../processes/host-process.ts';
import { valueOr } from '../../reading.ts';
import type { LanguageDirectory } from './language-package.ts';
import { nodeModulesOf, nodeScriptOf } from './node-script.ts';

const node = /^node(?:js)?$/;
const python = /^python(?:3(?:\.\d{1,3})?)?$/;
const pythonLibrary = /^python3\.\d{1,3}$/;
const [maxLinks, maxNames] = [8, 2_000];

/** The directories that a process may load packages from. Of those in containers, none: they belong to the image. */
export async function languageDirectoriesOf(
  files: HostFiles,
  { program, parameters, directory, root, containerId }: HostProcess,
): Promise<LanguageDirectory[]> {
  if (program.is !== 'read' || containerId !== undefined || valueOr(root, '/') !== '/') return [];
  const path = program.value.replace(/ \(deleted\)$/, '');
  const values = valueOr(parameters, []);
  if (node.test(basename(path))) {
    const script = nodeScriptOf(values, valueOr(directory, '/'));
    const target = script === undefined ? undefined : await followed(files, script);
    return target === undefined ? [] : nodeModulesOf(target).map((found) => ({ format: 'npm', path: found }));
  }
  if (python.test(basename(path))) return pythonDirectories(files, path, values[0] ?? '');
  return [];
}

/** Node resolves the links of a script before it looks for packages: programs in `bin` are links to their package. */
async function followed(files: HostFiles, script: string): Promise<string> {
  let path = script;
  for (let links = 0; links < maxLinks; links++) {
    const target = await files.target(path);
    if (target.is !== 'read') break;
    path = isAbsolute(target.value) ? target.value : join(dirname(path), target.value);
  }
  return path;
}

/** A virtual environment is known by the name under which the interpreter was started. */
async function pythonDirectories(
  files: HostFiles,
  program: string,
  started: string,
): Promise<LanguageDirectory[]> {
  const environment = dirname(dirname(started));
  const isVirtual =
    isAbsolute(started) && (await files.status(join(environment, 'pyvenv.cfg'))).is === 'read';
  const prefix = isVirtual ? environment : dirname(dirname(program));
  // What is below /usr itself belongs to packages of the distribution, which are reported already.
  const prefixes = prefix === '/usr' || prefix === '/' ? ['/usr/local'] : [prefix];
  const directories: LanguageDirectory[] = [];
  for (const one of prefixes) {
    const library = join(one, 'lib');
    for (const name of valueOr(await files.names(library, maxNames), [])) {
      if (!pythonLibrary.test(name) || !isOf(basename(program), name)) continue;
      for (const kind of ['site-packages', 'dist-packages'])
        directories.push({ format: 'python', path: join(library, name, kind) });
    }
  }
  return directories;
}

/** Whether a library is that of an interpreter, as far as its name says which one it is. */
function isOf(interpreter: string, library: string): boolean {
  return !interpreter.includes('.') || interpreter === library;
}
