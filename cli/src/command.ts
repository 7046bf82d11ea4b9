import type { CommandContext } from './context.ts';

export interface Option {
  readonly type: 'string' | 'boolean';
  readonly description: string;
  /** Placeholder of the value in the help text. */
  readonly value?: string;
  readonly required?: boolean;
}

export type OptionValues = Readonly<Record<string, string | boolean | undefined>>;

export interface Invocation {
  /** As many as the command declares; those in brackets are optional, and one with `…` may be repeated. */
  readonly positionals: readonly string[];
  readonly options: OptionValues;
  readonly context: CommandContext;
}

/** Result of a command, for programs (`--json`) and for people. */
export interface Report {
  readonly data: unknown;
  readonly text: string;
  /** Set when `data` has numbers that JavaScript would round. */
  readonly json?: string;
}

/** Declaration of a command; help and argument validation are derived from it. */
export interface Command {
  readonly words: readonly string[];
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, Option>>;
  readonly summary: string;
  /** Sentence that describes the data loss; the command then requires confirmation or --yes. */
  destroys?(invocation: Invocation): string | undefined;
  run(invocation: Invocation): Promise<Report>;
}
