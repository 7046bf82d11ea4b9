import type { CommandContext } from './context.ts';

export interface Option {
  readonly type: 'string' | 'boolean';
  readonly description: string;
  /** Placeholder of the value in the help text. */
  readonly value?: string;
  readonly required?: boolean;
  /** One letter, for `-o`. */
  readonly short?: string;
}

export type OptionValues = Readonly<Record<string, string | boolean | undefined>>;

/** The values of options that may be given more than once, by name. */
export type OptionLists = Readonly<Record<string, readonly string[]>>;

export interface Invocation {
  /** As many as the command declares; those in brackets are optional, and one with `…` may be repeated. */
  readonly positionals: readonly string[];
  readonly options: OptionValues;
  readonly lists: OptionLists;
  /** Whether --json was given. */
  readonly json: boolean;
  readonly context: CommandContext;
}

/** Result of a command, for programs (`--json`) and for people. */
export interface Report {
  readonly data: unknown;
  readonly text: string;
  /** Set when `data` has numbers that JavaScript would round. */
  readonly json?: string;
  /** 0 unless the report is that of a failure. */
  readonly exitCode?: number;
}

/** Result of a command that has written its output itself, because it may be long. */
export interface WrittenOutput {
  readonly exitCode: number;
}

/** Declaration of a command; help and argument validation are derived from it. */
export interface Command {
  readonly words: readonly string[];
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, Option>>;
  /** Options that may be given more than once. */
  readonly lists?: Readonly<Record<string, Omit<Option, 'type' | 'required'>>>;
  readonly summary: string;
  /** Further lines of the help. */
  readonly details?: readonly string[];
  /** Sentence that describes the data loss; the command then requires confirmation or --yes. */
  destroys?(invocation: Invocation): string | undefined;
  run(invocation: Invocation): Promise<Report | WrittenOutput>;
}
