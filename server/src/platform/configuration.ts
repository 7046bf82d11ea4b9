import { join, resolve } from 'node:path';
import { addressMatcher } from './client-address.ts';
import { minKeyLength } from './keyring.ts';

/** Declaration of an environment variable: its parser, its default and its description. */
interface Variable<Value> {
  readonly description: string;
  readonly defaultValue: string | undefined;
  /** Returns the value or throws an Error whose message completes "<variable name> …". */
  read(value: string): Value;
}

const variable = <Value>(
  defaultValue: string,
  description: string,
  read: (value: string) => Value,
): Variable<Value> => ({
  defaultValue,
  description,
  read,
});

const optional = <Value>(
  description: string,
  read: (value: string) => Value,
): Variable<Value | undefined> => ({
  defaultValue: undefined,
  description,
  read,
});

/** Maximum grace period of a token rotation. */
export const maxGraceDays = 365;

/** Every variable the service reads; `docs/configuration.md` is generated from this table. */
export const variables = {
  VEDETTE_HOST: variable('127.0.0.1', 'Address to listen on.', nonEmpty),
  VEDETTE_PORT: variable('8480', 'Port to listen on; 0 selects a free port.', integer(0, 65_535)),
  VEDETTE_PUBLIC_URL: optional(
    'Public address of the service, if it differs from the Host header of requests.',
    httpUrl,
  ),
  VEDETTE_TRUSTED_PROXIES: variable(
    '',
    'Addresses or CIDR ranges of trusted proxies, separated by commas; only their X-Forwarded headers are used.',
    addressList,
  ),
  VEDETTE_TLS: optional(
    '`self` creates a certificate authority and a certificate in `<data>/tls`.',
    oneOf('self'),
  ),
  VEDETTE_TLS_CERT: optional('PEM file with the certificate chain; requires VEDETTE_TLS_KEY.', nonEmpty),
  VEDETTE_TLS_KEY: optional('PEM file with the private key; requires VEDETTE_TLS_CERT.', nonEmpty),
  VEDETTE_DATA_DIR: variable('./data', 'Data directory of the service; created with mode 0700.', (value) =>
    resolve(nonEmpty(value)),
  ),
  VEDETTE_CONTROL_URL: optional(
    'Control store: `sqlite:<file>` or `postgres://…`. The default is `sqlite:<data>/control.db`.',
    controlUrl,
  ),
  VEDETTE_START_EMPTY: variable(
    'false',
    '`true` starts with an empty control store although telemetry is stored, to restore a backup or to start over. Otherwise the server refuses to start.',
    flag,
  ),
  VEDETTE_ACCOUNT: variable(
    'local',
    'Name of the first account: lower-case letters, digits and hyphens.',
    accountName,
  ),
  VEDETTE_RATE_LIMIT: variable(
    '480',
    'Requests per hour for each user and functionality; `off` disables the limit.',
    (value) => (value === 'off' ? ('off' as const) : integer(1, 1_000_000_000)(value)),
  ),
  VEDETTE_MAX_CONNECTIONS: variable(
    '4096',
    'Maximum number of open connections. Beyond it the connection that has been idle longest is closed.',
    integer(1, 1_000_000),
  ),
  VEDETTE_MAX_CONNECTIONS_PER_ADDRESS: variable(
    '512',
    'Maximum number of open connections of one IPv4 address or IPv6 /64 network. Addresses in VEDETTE_TRUSTED_PROXIES are exempt.',
    integer(1, 1_000_000),
  ),
  VEDETTE_TOKEN_GRACE_DAYS: variable(
    '7',
    'Days for which an agent access token remains valid after its rotation. Agents that report in this time get the new one.',
    integer(0, maxGraceDays),
  ),
  VEDETTE_RETENTION_DAYS: variable('90', 'Retention of telemetry and alerts in days.', integer(1, 36_500)),
  VEDETTE_DISK_CAP: optional(
    'Disk cap of telemetry, such as 500MB or 20GB: the oldest day is removed before the cap is exceeded. Without a cap only the retention applies.',
    diskSize,
  ),
  VEDETTE_SPILL_CAP: variable(
    '4GB',
    'Disk space that all searches and queries together may use for intermediate results that exceed memory. With VEDETTE_DISK_CAP it is part of that cap, and at most a tenth of it.',
    diskSize,
  ),
  VEDETTE_TELEMETRY_MEMORY: variable(
    '512MB',
    'Memory of the telemetry engine, such as 512MB or 4GB; the process may need half as much in addition.',
    memorySize,
  ),
  VEDETTE_TELEMETRY_THREADS: optional(
    'Threads of the telemetry engine. The default is the number of processors.',
    integer(1, 1_024),
  ),
  VEDETTE_SEARCH_TIMEOUT: variable(
    '60',
    'Timeout of a search in seconds; a search that waits longer in the queue is refused too.',
    integer(1, 3_600),
  ),
  VEDETTE_ALLOW_PRIVATE_TARGETS: variable(
    'false',
    '`true` allows alert channels to send to private, loopback and link-local addresses, for receivers in your own network.',
    flag,
  ),
  VEDETTE_COLLECT_SHARE: variable(
    '0.2',
    'Share of the documented call rates of a cloud that a collection may use, from 0.01 to 1; where no rate is documented, five calls a second are made for each service and region.',
    share,
  ),
  VEDETTE_SMTP_URL: optional(
    'Mail server: `smtp://user:password@host:587`, or `smtps:` for TLS from the start; requires VEDETTE_MAIL_FROM. With a user, TLS is mandatory.',
    smtpUrl,
  ),
  VEDETTE_MAIL_FROM: optional(
    'Sender of e-mails, such as `Vedette <vedette@example.com>`; used with VEDETTE_SMTP_URL.',
    mailSender,
  ),
  VEDETTE_EVALUATION_TIMEOUT: variable(
    '60',
    'Timeout of the evaluation of one policy in seconds; the timeout of a search applies to its query too.',
    integer(1, 3_600),
  ),
  VEDETTE_FIRST_EVALUATION: variable(
    'summary',
    'Alerts about the resources that a cloud account already has when it is evaluated for the first time: `summary` raises one for each severity, `alerts` one for each policy.',
    oneOf('summary', 'alerts'),
  ),
  VEDETTE_REPORT_HOUR: variable(
    '6',
    'Hour of the day, UTC, at which the reports of report rules are sent.',
    integer(0, 23),
  ),
  VEDETTE_ANNOUNCEMENT_WINDOW: variable(
    '300',
    'Seconds for which entities that join an alert are collected before they are announced to its channels in one message; `0` sends it immediately.',
    // A message expires a day after its window starts, and needs part of that day for retries.
    integer(0, 43_200),
  ),
  VEDETTE_LOCAL_AGENT: variable(
    'true',
    '`false` keeps the server from starting an agent for its own host. The agent takes VEDETTE_AGENT_ variables, such as VEDETTE_AGENT_TAGS, from the environment of the server.',
    flag,
  ),
  VEDETTE_SECRET_KEY: optional(
    `Keys that encrypt stored secrets, separated by commas, each ${minKeyLength} characters or more; new secrets are encrypted with the first. Without it \`<data>/secret.key\` is created.`,
    secretKeys,
  ),
  VEDETTE_LOG_LEVEL: variable(
    'info',
    'Minimum level of log entries.',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  ),
} satisfies Record<string, Variable<unknown>>;

type Variables = typeof variables;
export type Configuration = { readonly [Name in keyof Variables]: ReturnType<Variables[Name]['read']> };

export interface ConfigurationResult {
  readonly configuration: Configuration;
  readonly warnings: readonly string[];
}

export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  constructor(problems: readonly string[]) {
    super(`The configuration is invalid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

/** Parses every variable and reports all problems at once instead of one per start. */
export function readConfiguration(environment: NodeJS.ProcessEnv): ConfigurationResult {
  const problems: string[] = [];
  const read = ([name, { defaultValue, read }]: [string, Variable<unknown>]) => {
    const value = environment[name] ?? defaultValue;
    try {
      return [name, value === undefined ? undefined : read(value)];
    } catch (error) {
      problems.push(`${name} ${(error as Error).message}`);
      return [name, undefined];
    }
  };
  const configuration = Object.fromEntries(Object.entries(variables).map(read)) as Configuration;
  problems.push(...contradictions(configuration));
  if (problems.length > 0) throw new ConfigurationError(problems);
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith('VEDETTE_') && !(name in variables),
  );
  return {
    configuration,
    warnings: unknown
      .filter((name) => !/^VEDETTE_(?:TEST|AGENT)_/.test(name))
      .map((name) => `${name} is not a variable of Vedette and has no effect.`),
  };
}

export function controlUrlOf(configuration: Configuration): string {
  return configuration.VEDETTE_CONTROL_URL ?? `sqlite:${join(configuration.VEDETTE_DATA_DIR, 'control.db')}`;
}

/** Disk bytes for spilled intermediate results; with a disk cap, at most a tenth of it. */
export function spillCapOf({ VEDETTE_SPILL_CAP, VEDETTE_DISK_CAP }: Configuration): number {
  return Math.min(VEDETTE_SPILL_CAP, (VEDETTE_DISK_CAP ?? Number.POSITIVE_INFINITY) / 10);
}

export function keyFileOf(configuration: Configuration): string {
  return join(configuration.VEDETTE_DATA_DIR, 'api-key.json');
}

function contradictions(configuration: Configuration): string[] {
  const { VEDETTE_TLS: self, VEDETTE_TLS_CERT: certificate, VEDETTE_TLS_KEY: key } = configuration;
  const problems: string[] = [];
  if (certificate && !key) problems.push('VEDETTE_TLS_KEY must be set too when VEDETTE_TLS_CERT is.');
  if (key && !certificate) problems.push('VEDETTE_TLS_CERT must be set too when VEDETTE_TLS_KEY is.');
  if (self && (certificate || key))
    problems.push('VEDETTE_TLS=self can not be combined with VEDETTE_TLS_CERT.');
  const { VEDETTE_SMTP_URL: mailServer, VEDETTE_MAIL_FROM: sender } = configuration;
  if (mailServer && !sender) problems.push('VEDETTE_MAIL_FROM must be set too when VEDETTE_SMTP_URL is.');
  return problems;
}

function memorySize(value: string): string {
  if (!/^[1-9]\d{0,6}(?:MB|GB)$/.test(value)) throw new Error('must be a size such as 512MB or 4GB.');
  return value;
}

function diskSize(value: string): number {
  const [number, unit] = [Number.parseInt(memorySize(value), 10), value.slice(-2)];
  return number * (unit === 'MB' ? 1e6 : 1e9);
}

function nonEmpty(value: string): string {
  if (value.trim() === '') throw new Error('must not be empty.');
  return value;
}

function commaSeparated(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
}

function addressList(value: string): string[] {
  const addresses = commaSeparated(value);
  try {
    addressMatcher(addresses);
  } catch (error) {
    throw new Error(`must be addresses or CIDR ranges: ${(error as Error).message}`);
  }
  return addresses;
}

function integer(min: number, max: number) {
  return (value: string): number => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max) {
      throw new Error(`must be an integer from ${min} to ${max}, not '${value}'.`);
    }
    return number;
  };
}

function share(value: string): number {
  const number = Number(value);
  if (!/^[\d.]+$/.test(value) || !(number >= 0.01 && number <= 1))
    throw new Error(`must be a number from 0.01 to 1, not '${value}'.`);
  return number;
}

function oneOf<const Option extends string>(...options: readonly Option[]) {
  return (value: string): Option => {
    const option = options.find((candidate) => candidate === value);
    if (option === undefined) throw new Error(`must be ${options.join(' or ')}, not '${value}'.`);
    return option;
  };
}

/** Accepted spellings of a boolean, in any letter case. */
const flagSpellings = { yes: ['1', 'true', 'on', 'yes'], no: ['0', 'false', 'off', 'no'] } as const;

function flag(value: string): boolean {
  const matches = (spellings: readonly string[]) => spellings.includes(value.trim().toLowerCase());
  if (matches(flagSpellings.yes)) return true;
  if (matches(flagSpellings.no)) return false;
  throw new Error(`must be true or false (or 1, 0, on, off, yes, no), not '${value}'.`);
}

function httpUrl(value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new Error(`must be an address such as https://vedette.example.com, not '${value}'.`);
  }
  return url;
}

function smtpUrl(value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  // The value may hold a password: the message must not repeat it.
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || !url.hostname || url.search || url.hash)
    throw new Error('must be an address such as smtp://user:password@mail.example.com:587.');
  return url;
}

function mailSender(value: string): string {
  if (!/^(?:[^<>\r\n]*<[^\s<>@,]+@[^\s<>@,]+>|[^\s<>@,]+@[^\s<>@,]+)$/.test(value))
    throw new Error(`must be one address such as Vedette <vedette@example.com>, not '${value}'.`);
  return value;
}

function controlUrl(value: string): string {
  if (!/^sqlite:.+|^postgres(ql)?:\/\/.+/.test(value))
    throw new Error('must start with sqlite: or postgres://.');
  return value;
}

function accountName(value: string): string {
  if (!isAccountName(value))
    throw new Error(
      'must be 1 to 40 lower-case letters, digits or hyphens, starting with a letter or digit.',
    );
  return value;
}

export function isAccountName(value: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,39}$/.test(value);
}

function secretKeys(value: string): string[] {
  const keys = commaSeparated(value);
  // The value is a secret: the message must not repeat it.
  if (keys.length === 0 || keys.some((key) => key.length < minKeyLength)) {
    throw new Error(`must be keys of at least ${minKeyLength} characters, separated by commas.`);
  }
  return keys;
}
