import { Refusal } from '../../platform/errors.ts';
import { longestInline, type QueryLanguage } from '../../querying/language.ts';
import type { ReadQuery } from '../../querying/read-query.ts';
import { type Subject, subjectOf } from './subject.ts';

/** A query that was read, with what it is about. */
export interface Question {
  readonly read: ReadQuery;
  readonly subject: Subject;
}

/** Accounts whose long queries are read at the same time, one of each: people wait for the same threads. */
const mostAccounts = 8;

/** Queries that were read, each text once however many accounts have it. */
export class Questions {
  readonly #language: Pick<QueryLanguage, 'read' | 'readGiven'>;
  #read = new Map<string, Question | Error>();
  #before = new Map<string, Question | Error>();
  /** Long texts that are still to be read, by account. */
  #pending = new Map<string, Set<string>>();
  readonly #busy = new Set<string>();
  #hasNews = false;

  constructor(language: Pick<QueryLanguage, 'read' | 'readGiven'>) {
    this.#language = language;
  }

  read(text: string): Question {
    let question = this.#known(text);
    if (!question) {
      if (text.length > longestInline) throw new Refusal('UNAVAILABLE', 'The query is still being read.');
      question = this.#readInline(text);
    }
    this.#read.set(text, question);
    if (question instanceof Error) throw question;
    return question;
  }

  /** Whether it is not known yet what the text asks for, or whether it is a query at all. */
  isPending(text: string): boolean {
    return text.length > longestInline && !this.#known(text);
  }

  /** Begins to read the long ones of these texts off the event loop, without waiting for any. */
  prepare(texts: Iterable<readonly [ownerId: string, text: string]>): void {
    this.#pending = new Map();
    for (const [ownerId, text] of texts) {
      if (text.length <= longestInline) continue;
      const known = this.#known(text);
      if (known) this.#read.set(text, known);
      else this.#pending.set(ownerId, (this.#pending.get(ownerId) ?? new Set()).add(text));
    }
    this.resume();
  }

  /** Tries again what no thread was free for. */
  resume(): void {
    for (const ownerId of [...this.#pending.keys()]) {
      if (this.#busy.size >= mostAccounts) return;
      if (this.#busy.has(ownerId)) continue;
      this.#busy.add(ownerId);
      void this.#readPending(ownerId).finally(() => this.#busy.delete(ownerId));
    }
  }

  /** Whether a long text was read since the last call. */
  takeNews(): boolean {
    const hasNews = this.#hasNews;
    this.#hasNews = false;
    return hasNews;
  }

  /** Forgets what was not asked for since the last time. */
  age(): void {
    this.#before = this.#read;
    this.#read = new Map();
  }

  #known(text: string): Question | Error | undefined {
    return this.#read.get(text) ?? this.#before.get(text);
  }

  #readInline(text: string): Question | Error {
    try {
      const read = this.#language.read(text);
      return { read, subject: subjectOf(read) };
    } catch (error) {
      return error as Error;
    }
  }

  /** One after the other, until there is no thread for one: that one is tried last the next time, and so is its account. */
  async #readPending(ownerId: string): Promise<void> {
    for (;;) {
      const texts = this.#pending.get(ownerId);
      const [text] = texts ?? [];
      if (!texts || text === undefined) return;
      const question = this.#known(text) ?? (await this.#readGiven(ownerId, text));
      const isTransient = question instanceof Refusal && question.code === 'UNAVAILABLE';
      texts.delete(text);
      if (isTransient) texts.add(text);
      else {
        this.#read.set(text, question);
        this.#hasNews = true;
      }
      // Another plan may have been made meanwhile.
      if (this.#pending.get(ownerId) === texts) {
        this.#pending.delete(ownerId);
        if (texts.size > 0) this.#pending.set(ownerId, texts);
      }
      if (isTransient) return;
    }
  }

  #readGiven(ownerId: string, text: string): Promise<Question | Error> {
    return this.#language.readGiven(ownerId, text).then(
      (read) => ({ read, subject: subjectOf(read) }),
      (error: Error) => error,
    );
  }
}
