import type { Row } from '../evaluation/row.ts';
import { code, enumerate, inline, pastTense } from './phrase.ts';

type Sentence = (row: Row, host: string) => string;

/** Sentences by datasource of host events. Rows may lack columns that a sentence needs. */
const sentences: readonly (readonly [datasource: RegExp, column: string, sentence: Sentence])[] = [
  [/^LW_HA_FILE_CHANGES$/, 'PATH', (row, host) => changed(row.PATH, row.ACTIVITY, host)],
  [/^LW_HA_SYSCALLS_FILE$/, 'TARGET_PATH', (row, host) => changed(row.TARGET_PATH, row.TARGET_OP, host)],
  [/^LW_HA_WIN_REGISTRY$/, 'KEY_PATH', (row, host) => changed(row.KEY_PATH, row.OPERATION, host)],
  [/^LW_HA_SSH_LOGINS$/, 'USERNAME', (row, host) => `${loggedIn(row, host)} over SSH${from(row)}`],
  [/^LW_HA_USER_LOGINS$/, 'USERNAME', (row, host) => `${loggedIn(row, host)}${from(row)}${terminal(row)}`],
  [/^LW_HA_DNS_REQUESTS$/, 'HOSTNAME', queried],
  [/^LW_HA_SYSCALLS_EXEC$/, 'EXE_PATH', executed],
  [/^LW_HE_(?:ALL_)?PROCESSES$/, 'EXE_PATH', ran],
  [/^LW_HE_CONTAINERS$/, 'CONTAINER_NAME', contained],
  [/^LW_HE_USERS$/, 'USERNAME', listedUser],
  [/^LW_HE_SECRETS/, 'FILE_PATH', (row, host) => `${inline(row.FILE_PATH)}${mode(row)} on ${host}`],
  [/_SSH_AUTHORIZED_KEYS$/, 'FILE_PATH', authorizedKey],
  [/^LW_HA_CONNECTIONS$/, 'DST_IP_ADDR', connected],
];

/** `/usr/bin/sudo modified on web-10.amberwood.example`; undefined if the row lacks a required column. */
export function hostEvent(datasource: string, row: Row, host: string): string | undefined {
  const [, , sentence] =
    sentences.find(([name, column]) => name.test(datasource) && inline(row[column]) !== '') ?? [];
  return sentence?.(row, host);
}

function changed(path: unknown, activity: unknown, host: string): string {
  const verb = inline(activity, 40).toLowerCase();
  return `${inline(path)} ${pastTense(verb) ?? (verb || 'changed')} on ${host}`;
}

function loggedIn({ USERNAME }: Row, host: string): string {
  return `${inline(USERNAME)} logged in to ${host}`;
}

function from({ IP_ADDR, HOSTNAME }: Row): string {
  const [address, name] = [inline(IP_ADDR), inline(HOSTNAME)];
  if (address === '') return name === '' ? '' : ` from ${name}`;
  return ` from ${address}${name === '' || name === address ? '' : ` (${name})`}`;
}

function terminal({ TTY }: Row): string {
  const tty = inline(TTY, 40);
  return tty === '' ? '' : ` on ${tty}`;
}

function queried({ HOSTNAME, HOST_IP_ADDR }: Row, host: string): string {
  const answer = inline(HOST_IP_ADDR);
  return `${host} queried ${inline(HOSTNAME)}${answer === '' ? '' : ` (resolved to ${answer})`}`;
}

function executed(row: Row, host: string): string {
  const uid = inline(row.UID, 20);
  const actor = inline(row.USERNAME) || (uid === '0' ? 'root' : uid === '' ? 'a process' : `uid ${uid}`);
  const parent = inline(row.PARENT_EXE_PATH);
  const inContainer = [true, 1, 'true'].includes(row.IS_IN_CONTAINER as never) ? ' in a container' : '';
  return `${actor} ran ${command(row)}${inContainer} on ${host}${parent === '' ? '' : ` (parent process ${parent})`}`;
}

function ran(row: Row, host: string): string {
  const pid = inline(row.PID, 20);
  return `${inline(row.USERNAME) || 'a user'} ran ${command(row)}${pid === '' ? '' : ` (PID ${pid})`} on ${host}`;
}

/** Adds the program if the command line does not name it. */
function command({ EXE_PATH, CMDLINE }: Row): string {
  const [program, line] = [inline(EXE_PATH), inline(CMDLINE, 200)];
  if (line === '' || line === program) return code(program);
  const [, called = ''] = /^(?:\S*\/)?(\S+)/.exec(line) ?? [];
  const isUsual = /^(?:\/usr)?\/s?bin\/[^/]+$/.test(program) && program.endsWith(`/${called}`);
  return isUsual || line.startsWith(program) ? code(line) : `${code(line)} from ${program}`;
}

function contained(row: Row, host: string): string {
  const image = [inline(row.REPO), inline(row.TAG, 60)].filter(Boolean).join(':');
  return `container ${inline(row.CONTAINER_NAME)}${image === '' ? '' : ` (image ${image})`} on ${host}`;
}

function listedUser({ USERNAME, PRIMARY_GROUP_NAME, OTHER_GROUP_NAMES }: Row, host: string): string {
  const others = Array.isArray(OTHER_GROUP_NAMES) ? OTHER_GROUP_NAMES : [OTHER_GROUP_NAMES];
  const groups = [PRIMARY_GROUP_NAME, ...others].map((name) => inline(name)).filter(Boolean);
  const members =
    groups.length === 0 ? '' : ` (${groups.length > 1 ? 'groups' : 'group'} ${enumerate(groups, 5)})`;
  return `user ${inline(USERNAME)}${members} on ${host}`;
}

function mode({ FILE_PERMISSIONS }: Row): string {
  const bits = Number(FILE_PERMISSIONS ?? Number.NaN);
  return Number.isInteger(bits) ? ` (mode ${(bits & 0o7777).toString(8).padStart(4, '0')})` : '';
}

function authorizedKey(row: Row, host: string): string {
  const [kind, print] = [inline(row.SSH_KEY_TYPE, 40), inline(row.FINGERPRINT_OPENSSH_SHA256)];
  const key = [kind, 'key', print].filter(Boolean).join(' ');
  return `${key} in ${inline(row.FILE_PATH)} on ${host}`;
}

function connected(row: Row, host: string): string {
  const port = inline(row.DST_PORT, 10);
  return `${host} connected to ${inline(row.DST_IP_ADDR)}${port === '' ? '' : ` port ${port}`}`;
}
