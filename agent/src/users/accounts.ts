import type { HostFiles } from '../host/host-files.ts';
import type { Reading } from '../reading.ts';
import { ParsedFile } from './parsed-file.ts';
import { type GroupEntry, type PasswdEntry, parseGroup, parsePasswd } from './passwd.ts';

const maxBytes = 4 * 1024 * 1024;
const passwd = new ParsedFile('/etc/passwd', maxBytes, parsePasswd);
const group = new ParsedFile('/etc/group', maxBytes, parseGroup);

export function readUsers(files: HostFiles): Promise<Reading<readonly PasswdEntry[]>> {
  return passwd.read(files);
}

export function readGroups(files: HostFiles): Promise<Reading<readonly GroupEntry[]>> {
  return group.read(files);
}
