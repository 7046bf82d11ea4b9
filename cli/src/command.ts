import type { CommandContext } from './context.ts';

export interface Option {
  readonly type: 'string' | 'boolean';
  readonly meaning: string;
  /** Word for the value in the help text. */
  readonly value?: string;
  readonly required?: boolean;
}

export type OptionValues = Readonly<Record<string, string | boolean | undefined>>;

export interface Given {
  /** The positional arguments, as many as the command declares; those in brackets may be left out. */
  readonly positionals: readonly string[];
  readonly options: OptionValues;
  readonly desk: CommandContext;
}

/** The result of a command: the same facts for programs (`--json`) and for people. */
export interface Report {
  readonly data: unknown;
  readonly text: string;
  /** The data as JSON, where it has numbers that JavaScript would round. */
  readonly json?: string;
}

/** One command of `vedette`; its help and the check of its arguments follow from this. */
export interface Command {
  readonly words: readonly string[];
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, Option>>;
  readonly summary: string;
  /**
   * What is lost when the command runs, as a sentence; undefined when nothing is. The command then asks before it runs,
   * or takes --yes.
   */
  destroys?(given: Given): string | undefined;
  run(given: Given): Promise<Report>;
}
