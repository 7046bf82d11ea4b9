import { dirname, isAbsolute, join } from 'node:path/posix';

/** Options that take the next parameter. */
const withValue = new Set([
  '-r',
  '--require',
  '--import',
  '--loader',
  '--experimental-loader',
  '-C',
  '--conditions',
]);
/** Options after which there is no script. */
const withoutScript = new Set(['-e', '--eval', '-p', '--print', '-pe', '-i', '--interactive']);
const maxLevels = 16;

/** The script that Node runs, by its parameters. */
export function nodeScriptOf(parameters: readonly string[], directory: string): string | undefined {
  for (let at = 1; at < parameters.length; at++) {
    const parameter = parameters[at] ?? '';
    if (withoutScript.has(parameter)) return undefined;
    if (withValue.has(parameter)) at++;
    else if (!parameter.startsWith('-')) return parameter === '' ? undefined : absolute(parameter, directory);
  }
  return undefined;
}

/** The directories in which Node looks for the packages of a script, the nearest first. */
export function nodeModulesOf(script: string): string[] {
  const found = new Set<string>();
  let directory = dirname(script);
  for (let level = 0; level < maxLevels; level++) {
    found.add(directory.endsWith('/node_modules') ? directory : join(directory, 'node_modules'));
    if (directory === '/') break;
    directory = dirname(directory);
  }
  return [...found];
}

function absolute(path: string, directory: string): string | undefined {
  const joined = isAbsolute(path) ? path : join(directory, path);
  return isAbsolute(joined) ? join(joined) : undefined;
}
