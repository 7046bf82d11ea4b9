import type { AlertEntities } from './alert-entities.ts';
import type { History } from './history.ts';

/** Something that an analyst asks about an alert, and how it is answered from data. */
export interface Question {
  readonly question: string;
  answer(history: History): Promise<string>;
}

/** What is asked about one kind of alert. */
export interface AlertKind {
  applies(entities: AlertEntities, subCategory: string): boolean;
  /** Whether its violations last, so that one may ask whether they still do. */
  isState(subCategory: string): boolean;
  questions(entities: AlertEntities): readonly Question[];
}

/** A question, unless what it is about is not known. */
export function about(
  known: readonly string[],
  question: string,
  answer: Question['answer'],
): readonly Question[] {
  return known.every((value) => value !== '') ? [{ question, answer }] : [];
}
