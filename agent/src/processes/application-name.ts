import { valueOr } from '../reading.ts';
import { redactedLine } from '../redaction/redaction.ts';
import type { HostProcess } from './host-process.ts';
import { programPath } from './program-path.ts';

const maxLength = 255;
const interpreters =
  /^(?:python|perl|ruby|node|nodejs|php|lua|bash|sh|dash|zsh|ksh|ash|Rscript|tclsh)[\d.]*$/;
/** Options that take no value from the next parameter. Behind any other one, the script can not be told from a value. */
const flags = /^(?:-[uBEIOsSx]+|--[\w-]+=.*|--inspect|--enable-source-maps|--expose-gc)$/s;

/** The program of a process, or the script that an interpreter runs: `gunicorn` rather than `python3.11`. */
export function applicationName(process: Pick<HostProcess, 'program' | 'name' | 'parameters'>): string {
  const path = programPath(process).replace(/ \(deleted\)$/, '');
  const program = process.program.is === 'read' ? lastName(path) : process.name;
  const [, ...parameters] = valueOr(process.parameters, []);
  const script = program === 'java' ? archiveOf(parameters) : scriptOf(program, parameters);
  const name = script === undefined ? program : redactedLine(lastName(script));
  return name.slice(0, maxLength) || program;
}

function scriptOf(program: string, parameters: readonly string[]): string | undefined {
  if (!interpreters.test(program)) return undefined;
  const at = parameters.findIndex((one) => !flags.test(one));
  const first = parameters[at] ?? '';
  if (first === '-m' && program.startsWith('python')) return parameters[at + 1];
  // What is not a path or a name is a program given as a parameter.
  return first.startsWith('-') || /[\s;|&]/.test(first) ? undefined : first || undefined;
}

function archiveOf(parameters: readonly string[]): string | undefined {
  const at = parameters.indexOf('-jar');
  return at === -1 ? undefined : parameters[at + 1];
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
