import type { HostFiles } from '../host/host-files.ts';
import { mapped, type Reading } from '../reading.ts';

const maxBytes = 64 * 1024;

/** The distribution of a host. */
export interface Distribution {
  readonly os: string;
  /** Empty if the distribution has no versions. */
  readonly osVersion: string;
  readonly osDesc?: string;
}

/** The variables of an os-release file, whose values may be quoted as in a shell. */
export function parseOsRelease(text: string): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, name, value] = /^\s*([A-Za-z_][A-Za-z0-9_]*)=(.*?)\s*$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) variables.set(name, unquoted(value));
  }
  return variables;
}

/** The variables of the file of the host, or of the one that its distribution ships. */
export async function readOsRelease(files: HostFiles): Promise<Reading<ReadonlyMap<string, string>>> {
  const own = await files.text('/etc/os-release', maxBytes);
  const text = own.is === 'read' ? own : await files.text('/usr/lib/os-release', maxBytes);
  return mapped(text.is === 'absent' ? own : text, parseOsRelease);
}

/** Rolling releases have no version, but may name a build. */
export function distributionOf(variables: ReadonlyMap<string, string>): Distribution {
  const version = ['VERSION_ID', 'BUILD_ID', 'VERSION_CODENAME'].map((name) => variables.get(name));
  const description = variables.get('PRETTY_NAME');
  return {
    os: variables.get('NAME') || 'Linux',
    osVersion: version.find(Boolean) ?? '',
    ...(description && { osDesc: description }),
  };
}

function unquoted(value: string): string {
  const [, single] = /^'([^']*)'$/.exec(value) ?? [];
  if (single !== undefined) return single;
  const [, double] = /^"((?:[^"\\]|\\.)*)"$/.exec(value) ?? [];
  return double?.replace(/\\(["$`\\])/g, '$1') ?? value.replace(/\\(.)/g, '$1');
}
