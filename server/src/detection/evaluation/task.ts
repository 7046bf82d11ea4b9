import { createHash } from 'node:crypto';
import type { QueryLanguage, ReadQuery } from '../../querying/language.ts';
import type { Constraint } from '../exceptions/form.ts';
import { type Matches, matcherOf } from '../exceptions/matching.ts';
import type { ExceptionRow } from '../exceptions/record.ts';
import type { PolicyRecord } from '../policies/record.ts';
import { type Subject, subjectOf } from './subject.ts';

/** A query that was read, with what it is about. */
export interface Question {
  readonly read: ReadQuery;
  readonly subject: Subject;
}

export interface Exemption {
  readonly id: string;
  readonly matches: Matches;
}

/** A policy that is to be judged in an account. */
export interface Task {
  readonly ownerId: string;
  readonly policy: PolicyRecord;
  /** Changes with whatever makes another evaluation necessary. */
  readonly basis: string;
  /** The exceptions that hold. */
  readonly exemptions: readonly Exemption[];
  /** Refuses a text that is no query, as one may be that was saved before it was checked. */
  question(): Question;
}

export interface TaskParts {
  readonly ownerId: string;
  readonly policy: PolicyRecord;
  readonly queryText: string;
  /** Those that hold now. */
  readonly exceptions: readonly Pick<ExceptionRow, 'id' | 'constraints' | 'updated_at'>[];
}

export function taskOf({ ownerId, policy, queryText, exceptions }: TaskParts, questions: Questions): Task {
  const basis = createHash('sha256')
    .update(
      JSON.stringify([
        queryText,
        policy.alertEnabled,
        policy.evalFrequency,
        exceptions.map(({ id, constraints }) => [id, constraints]),
      ]),
    )
    .digest('hex')
    .slice(0, 32);
  return {
    ownerId,
    policy,
    basis,
    exemptions: exceptions.map(({ id, constraints }) => ({
      id,
      matches: matcherOf(JSON.parse(constraints) as Constraint[]),
    })),
    question: () => questions.read(queryText),
  };
}

/** Queries that were read, each text once however many accounts have it. */
export class Questions {
  readonly #language: QueryLanguage;
  #read = new Map<string, Question | Error>();
  #before = new Map<string, Question | Error>();

  constructor(language: QueryLanguage) {
    this.#language = language;
  }

  read(text: string): Question {
    let question = this.#read.get(text) ?? this.#before.get(text);
    if (!question) {
      try {
        const read = this.#language.read(text);
        question = { read, subject: subjectOf(read) };
      } catch (error) {
        question = error as Error;
      }
    }
    this.#read.set(text, question);
    if (question instanceof Error) throw question;
    return question;
  }

  /** Forgets what was not asked for since the last time. */
  age(): void {
    this.#before = this.#read;
    this.#read = new Map();
  }
}
