import type { AlertEntities } from './alert-entities.ts';
import type { History } from './history.ts';

/** An analyst's question about an alert, with the query that answers it. */
export interface Question {
  readonly question: string;
  answer(history: History): Promise<string>;
}

/** The questions for one kind of alert. */
export interface AlertKind {
  applies(entities: AlertEntities, subCategory: string): boolean;
  /** Whether its violations persist, so that asking whether they are still open makes sense. */
  isState(subCategory: string): boolean;
  questions(entities: AlertEntities): readonly Question[];
}

/** The question, or none if its subject is unknown. */
export function questionIf(
  known: readonly string[],
  question: string,
  answer: Question['answer'],
): readonly Question[] {
  return known.every((value) => value !== '') ? [{ question, answer }] : [];
}
