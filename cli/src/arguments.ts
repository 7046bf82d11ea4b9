import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Command, Option, OptionLists, OptionValues } from './command.ts';
import { UsageError } from './usage-error.ts';

export interface ParsedCommand {
  readonly command: Command;
  readonly positionals: readonly string[];
  readonly options: OptionValues;
  readonly lists: OptionLists;
  readonly json: boolean;
}

export type InfoRequest = { readonly help: readonly Command[] } | { readonly version: true };

const helpWords = new Set(['help', '--help', '-h']);

/** Matches the command and validates its arguments; --json is accepted at any position. */
export function parseCommandLine(
  commands: readonly Command[],
  args: readonly string[],
): ParsedCommand | InfoRequest {
  const json = args.includes('--json');
  const words = args.filter((word) => word !== '--json');
  if (words[0] === '--version') return { version: true };
  const command = commands.find((candidate) => candidate.words.every((word, index) => words[index] === word));
  if (!command) {
    if (words.length === 0 || words.some((word) => helpWords.has(word)))
      return { help: commandsNamed(commands, words) };
    const name = words
      .filter((word) => !word.startsWith('-'))
      .slice(0, 2)
      .join(' ');
    throw new UsageError(`'${name}' is not a command: see vedette help.`);
  }
  const { values, positionals } = parse(command, words.slice(command.words.length));
  if (values.help) return { help: [command] };
  const options = valuesOf(values, Object.keys(optionsOf(command))) as OptionValues;
  const lists = valuesOf(values, Object.keys(command.lists ?? {})) as OptionLists;
  const required = command.positionals.filter((name) => !isOptional(name)).length;
  const most = command.positionals.some(isRepeated) ? Infinity : command.positionals.length;
  if (positionals.length < required || positionals.length > most) {
    throw new UsageError(`Usage: ${usageOf(command)}`);
  }
  for (const [name, option] of Object.entries(command.options)) {
    if (option.required && !options[name])
      throw new UsageError(`--${name} is required. Usage: ${usageOf(command)}`);
  }
  return { command, positionals, options, lists, json };
}

function valuesOf(values: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  return Object.fromEntries(names.flatMap((name) => (name in values ? [[name, values[name]]] : [])));
}

/** Commands with the given words as a prefix; all commands when none matches. */
function commandsNamed(commands: readonly Command[], words: readonly string[]): readonly Command[] {
  const name = words.filter((word) => !helpWords.has(word));
  const named = commands.filter((command) => name.every((word, at) => command.words[at] === word));
  return named.length > 0 ? named : commands;
}

const yes: Option = { type: 'boolean', description: 'skip the confirmation prompt' };

/** Commands that ask for confirmation also accept --yes. */
function optionsOf({ options, destroys }: Command): Readonly<Record<string, Option>> {
  return destroys ? { ...options, yes } : options;
}

function isOptional(positional: string): boolean {
  return positional.startsWith('[');
}

function isRepeated(positional: string): boolean {
  return positional.endsWith('…');
}

function nameOf(name: string, { short }: Pick<Option, 'short'>): string {
  return short === undefined ? `--${name}` : `-${short}|--${name}`;
}

function usageOf(command: Command): string {
  const { words, positionals } = command;
  const flags = Object.entries(optionsOf(command)).map(([name, option]) => {
    const { type, value, required } = option;
    const flag =
      type === 'boolean' ? nameOf(name, option) : `${nameOf(name, option)} ${value ?? name.toUpperCase()}`;
    return required ? flag : `[${flag}]`;
  });
  const repeated = Object.entries(command.lists ?? {}).map(
    ([name, { value }]) => `[--${name} ${value ?? name.toUpperCase()}]…`,
  );
  return ['vedette', ...words, ...positionals, ...flags, ...repeated].join(' ');
}

export function helpText(commands: readonly Command[]): string {
  const lines = commands.map((command) => {
    const descriptions = [
      ...Object.entries(optionsOf(command)).map(
        ([name, option]) => `${nameOf(name, option)}: ${option.description}`,
      ),
      ...Object.entries(command.lists ?? {}).map(
        ([name, { description }]) => `--${name}: ${description}; may be repeated`,
      ),
      ...(command.details ?? []),
    ];
    return [
      `  ${usageOf(command)}`,
      ...[command.summary, ...descriptions].map((line) => `      ${line}`),
    ].join('\n');
  });
  const head =
    'Manages a Vedette service, also while it is running. Every command accepts --json and --help.';
  return commands.length === 1 ? `${lines.join('\n')}\n` : `${head}\n\n${lines.join('\n')}\n`;
}

/** Joins an option and a value such as -7d, which parseArgs would treat as another option. */
function withValues(options: Command['options'], args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of args) {
    const last = joined.at(-1);
    const isValue = /^-\d/.test(word) && last?.startsWith('--') && options[last.slice(2)]?.type === 'string';
    if (isValue) joined[joined.length - 1] = `${last}=${word}`;
    else joined.push(word);
  }
  return joined;
}

function parse(command: Command, args: readonly string[]) {
  const options = optionsOf(command);
  const known = Object.entries(options).map(
    ([name, { type, short }]) => [name, { type, ...(short !== undefined && { short }) }] as const,
  );
  const repeated = Object.keys(command.lists ?? {}).map(
    (name) => [name, { type: 'string', multiple: true }] as const,
  );
  try {
    return parseArgs({
      args: withValues(options, args),
      options: {
        ...Object.fromEntries<NonNullable<ParseArgsConfig['options']>[string]>([...known, ...repeated]),
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
