import { parseArgs } from 'node:util';
import type { Command, OptionValues } from './command.ts';
import { UsageError } from './usage-error.ts';

export interface Parsed {
  readonly command: Command;
  readonly positionals: readonly string[];
  readonly options: OptionValues;
  readonly json: boolean;
}

/**
 * Finds the command that the words name and checks what follows them; --json may stand anywhere. Returns undefined
 * when help is wanted.
 */
export function parseCommandLine(commands: readonly Command[], args: readonly string[]): Parsed | undefined {
  const json = args.includes('--json');
  const words = args.filter((word) => word !== '--json');
  const command = commands.find((candidate) => candidate.words.every((word, index) => words[index] === word));
  if (!command) {
    if (words.length === 0 || words.some((word) => ['help', '--help', '-h'].includes(word))) return undefined;
    throw new UsageError(
      `'${words
        .filter((word) => !word.startsWith('-'))
        .slice(0, 2)
        .join(' ')}' is not a command: see vedette help.`,
    );
  }
  const { values, positionals } = parse(command, words.slice(command.words.length));
  const { help, ...options } = values as OptionValues;
  if (help) return undefined;
  const least = command.positionals.filter((name) => !isOptional(name)).length;
  if (positionals.length < least || positionals.length > command.positionals.length) {
    throw new UsageError(`Usage: ${usageOf(command)}`);
  }
  for (const [name, option] of Object.entries(command.options)) {
    if (option.required && !options[name])
      throw new UsageError(`--${name} is required. Usage: ${usageOf(command)}`);
  }
  return { command, positionals, options, json };
}

/** Its name stands in brackets. */
function isOptional(positional: string): boolean {
  return positional.startsWith('[');
}

function usageOf({ words, positionals, options }: Command): string {
  const flags = Object.entries(options).map(([name, { type, value, required }]) => {
    const flag = type === 'boolean' ? `--${name}` : `--${name} ${value ?? name.toUpperCase()}`;
    return required ? flag : `[${flag}]`;
  });
  return ['vedette', ...words, ...positionals, ...flags].join(' ');
}

export function helpText(commands: readonly Command[]): string {
  const lines = commands.map((command) => {
    const meanings = Object.entries(command.options).map(
      ([name, { meaning }]) => `      --${name}: ${meaning}`,
    );
    return [`  ${usageOf(command)}`, `      ${command.summary}`, ...meanings].join('\n');
  });
  return `Administers a Vedette service, also while it runs. Every command takes --json.\n\n${lines.join('\n')}\n`;
}

/** Joins an option and a value such as -7d, which would be taken for another option. */
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

function parse({ options }: Command, args: readonly string[]) {
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
