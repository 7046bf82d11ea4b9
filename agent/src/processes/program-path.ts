import type { HostProcess } from './host-process.ts';

/** The program of a process. Threads of the kernel have none: their name in brackets, as in `ps`. */
export function programPath({ program, name }: Pick<HostProcess, 'program' | 'name'>): string {
  return program.is === 'read' ? program.value : `[${name}]`;
}
