import { type AuditRecord, decodedId, decodedString } from './audit-record.ts';

/** A program that was started, from the records of one event. */
export interface Execution {
  readonly at: number;
  readonly pid: number;
  readonly ppid?: number;
  readonly uid?: number;
  readonly gid?: number;
  readonly exePath: string;
  readonly parameters: readonly string[];
}

const limits = { parameters: 1_000, characters: 32_768 };

/** Undefined for other events, and for programs that could not be started. */
export function executionOf(records: readonly AuditRecord[]): Execution | undefined {
  const call = records.find(({ type }) => type === 'SYSCALL')?.fields;
  const executed = records.filter(({ type }) => type === 'EXECVE');
  const [first] = executed;
  if (!call || !first || call.get('success') === 'no') return undefined;
  // The program as the kernel runs it; of scripts, the interpreter.
  const path = records.find(({ type, fields }) => type === 'PATH' && fields.get('item') === '0');
  const exePath = decodedString(call.get('exe')) ?? decodedString(path?.fields.get('name'));
  const [pid, ppid, uid, gid] = ['pid', 'ppid', 'uid', 'gid'].map((name) => decodedId(call.get(name)));
  if (pid === undefined || exePath === undefined) return undefined;
  return {
    ...{ at: first.at, pid, exePath, parameters: parametersOf(executed) },
    ...(ppid !== undefined && { ppid }),
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
  };
}

/** Long parameters are divided: `a1_len=9000 a1[0]=… a1[1]=…`. Their parts and many parameters fill several records. */
function parametersOf(executed: readonly AuditRecord[]): string[] {
  const values = new Map(executed.flatMap(({ fields }) => [...fields]));
  const parameters: string[] = [];
  let size = 0;
  for (let index = 0; index < limits.parameters && size < limits.characters; index++) {
    const whole = values.get(`a${index}`);
    const value = whole === undefined ? partsOf(values, index) : (decodedString(whole) ?? '');
    if (value === undefined) break;
    parameters.push(value);
    size += value.length;
  }
  return parameters;
}

function partsOf(values: ReadonlyMap<string, string>, index: number): string | undefined {
  const parts: string[] = [];
  for (
    let part = values.get(`a${index}[0]`);
    part !== undefined;
    part = values.get(`a${index}[${parts.length}]`)
  )
    parts.push(part);
  if (parts.length === 0) return undefined;
  // Hexadecimal parts may divide a character.
  return parts.every((part) => /^[0-9A-Fa-f]+$/.test(part))
    ? decodedString(parts.join(''))
    : parts.map((part) => decodedString(part) ?? '').join('');
}
