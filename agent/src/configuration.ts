import { readFileSync } from 'node:fs';

/** What the agent is told by its options, its environment or its file, in this order. */
export interface Configuration {
  readonly server: string;
  readonly token: string;
  /** Where it keeps its journal. */
  readonly stateDirectory: string;
  /** Where the files of the host are mounted. */
  readonly hostRoot: string;
  /** Bytes that may wait for the server. */
  readonly maxJournalBytes: number;
  readonly tags: Readonly<Record<string, string>>;
  /** Names of sources that are not observed. */
  readonly without: readonly string[];
  /** Files and directories whose changes are reported; undefined for the default ones. */
  readonly watched: readonly string[] | undefined;
  readonly authorityFile: string | undefined;
  readonly certificateFile: string | undefined;
  readonly keyFile: string | undefined;
}

/** A value that is missing or not understood; the message says where it was given. */
export class ConfigurationError extends Error {}

export const defaultFile = '/etc/vedette/agent.json';

/** By the name in the file; options have hyphens, and variables VEDETTE_AGENT_ and capitals. */
export const settings = {
  server: 'URL of the Vedette server',
  token: 'agent access token',
  tokenFile: 'file with the agent access token',
  stateDirectory: 'directory of the journal',
  hostRoot: 'directory where the files of the host are mounted',
  maxJournalMegabytes: 'megabytes that may wait for the server',
  tags: 'tags of the machine: Env=test,Team=web',
  without: 'sources that are not observed: containers,keys',
  watched: 'files and directories whose changes are reported',
  authorityFile: 'certificate authority of the server',
  certificateFile: 'client certificate',
  keyFile: 'key of the client certificate',
} as const;

export type SettingName = keyof typeof settings;

export interface Given {
  /** By the name of the setting. */
  readonly options: Readonly<Partial<Record<string, string>>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The file, if it is not the default one. */
  readonly file?: string | undefined;
}

export function readConfiguration(given: Given): Configuration {
  const file = readSettings(given.file);
  const text = (name: SettingName): string | undefined => {
    const value = given.options[name] ?? given.environment[variableOf(name)] ?? file[name];
    if (value === undefined || value === '') return undefined;
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  const server = text('server');
  if (server === undefined) throw missing('server', 'https://vedette.example.com');
  const tokenFile = text('tokenFile');
  const token = text('token') ?? (tokenFile && readToken(tokenFile));
  if (!token) throw missing('token', 'the accessToken that POST /api/v2/AgentAccessTokens returns');
  return {
    ...{ server: checkedUrl(server), token },
    stateDirectory: text('stateDirectory') ?? '/var/lib/vedette-agent',
    hostRoot: text('hostRoot') ?? '/',
    maxJournalBytes: megabytes(text('maxJournalMegabytes') ?? '256') * 1024 * 1024,
    tags: tagsOf(text('tags')),
    without: listOf(text('without')) ?? [],
    watched: listOf(text('watched')),
    authorityFile: text('authorityFile'),
    certificateFile: text('certificateFile'),
    keyFile: text('keyFile'),
  };
}

/** `--token-file` of `tokenFile`. */
export function optionOf(name: SettingName): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `VEDETTE_AGENT_TOKEN_FILE` of `tokenFile`. */
export function variableOf(name: SettingName): string {
  return `VEDETTE_AGENT_${optionOf(name).replaceAll('-', '_').toUpperCase()}`;
}

function missing(name: SettingName, example: string): ConfigurationError {
  return new ConfigurationError(
    `The ${settings[name]} is missing: pass --${optionOf(name)}, or set ${variableOf(name)} or "${name}" in ${defaultFile}, such as ${example}.`,
  );
}

/** The default file may be absent, one that was named may not. */
function readSettings(file: string | undefined): Readonly<Record<string, unknown>> {
  let content: string;
  try {
    content = readFileSync(file ?? defaultFile, 'utf8');
  } catch (error) {
    if (file === undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new ConfigurationError(`The configuration can not be read: ${(error as Error).message}`);
  }
  const value = parsed(content);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ConfigurationError(`${file ?? defaultFile} is not a JSON object.`);
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(settings, name));
  if (unknown !== undefined)
    throw new ConfigurationError(
      `${file ?? defaultFile} has an unknown member "${unknown}"; known are ${Object.keys(settings).join(', ')}.`,
    );
  return value as Record<string, unknown>;
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

function readToken(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new ConfigurationError(`The token can not be read: ${(error as Error).message}`);
  }
}

function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new ConfigurationError(`The server '${text}' is not a URL such as https://vedette.example.com.`);
  return url.origin;
}

function megabytes(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 1_000_000)
    throw new ConfigurationError(`maxJournalMegabytes is a number from 1 to 1000000, not '${text}'.`);
  return value;
}

/** As JSON, or as `Env=test,Team=web`. */
function tagsOf(text: string | undefined): Record<string, string> {
  if (text === undefined) return {};
  const value = parsed(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, String(one)]));
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [, name, one] = /^\s*([^=]+?)\s*=(.*)$/.exec(pair) ?? [];
      if (name === undefined || one === undefined)
        throw new ConfigurationError(`tags are pairs such as Env=test,Team=web, not '${pair}'.`);
      return [name, one.trim()];
    }),
  );
}

/** As a JSON array, or separated by commas. */
function listOf(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const value = parsed(text);
  if (Array.isArray(value)) return value.map(String);
  return text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
}
