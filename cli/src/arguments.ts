import { parseArgs } from 'node:util';
import type { Command, Option, OptionValues } from './command.ts';
import { UsageError } from './usage-error.ts';

export interface ParsedCommand {
  readonly command: Command;
  readonly positionals: readonly string[];
  readonly options: OptionValues;
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
  const { help, ...options } = values as OptionValues;
  if (help) return { help: [command] };
  const required = command.positionals.filter((name) => !isOptional(name)).length;
  const most = command.positionals.some(isRepeated) ? Infinity : command.positionals.length;
  if (positionals.length < required || positionals.length > most) {
    throw new UsageError(`Usage: ${usageOf(command)}`);
  }
  for (const [name, option] of Object.entries(command.options)) {
    if (option.required && !options[name])
      throw new UsageError(`--${name} is required. Usage: ${usageOf(command)}`);
  }
  return { command, positionals, options, json };
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

function usageOf(command: Command): string {
  const { words, positionals } = command;
  const flags = Object.entries(optionsOf(command)).map(([name, { type, value, required }]) => {
    const flag = type === 'boolean' ? `--${name}` : `--${name} ${value ?? name.toUpperCase()}`;
    return required ? flag : `[${flag}]`;
  });
  return ['vedette', ...words, ...positionals, ...flags].join(' ');
}

export function helpText(commands: readonly Command[]): string {
  const lines = commands.map((command) => {
    const descriptions = Object.entries(optionsOf(command)).map(
      ([name, { description }]) => `      --${name}: ${description}`,
    );
    return [`  ${usageOf(command)}`, `      ${command.summary}`, ...descriptions].join('\n');
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
  const known = Object.entries(options).map(([name, { type }]) => [name, { type }] as const);
  try {
    return parseArgs({
      args: withValues(options, args),
      options: {
        ...Object.fromEntries(known),
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
