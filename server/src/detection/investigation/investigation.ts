import type { EntityMap } from '../../alerts/listing.ts';
import type { Tables } from '../../control/tables.ts';
import { Refusal } from '../../platform/errors.ts';
import { AlertEntities } from './alert-entities.ts';
import { awsCalls, googleCalls, kubernetesRequests } from './cloud-kinds.ts';
import { History, type HistoryDeps } from './history.ts';
import { connections, containers, files, hostUsers, logins, lookups, processes } from './host-kinds.ts';
import type { AlertKind } from './question.ts';

export interface Answered {
  readonly question: string;
  readonly answer: string;
}

/** The first match applies. */
const kinds: readonly AlertKind[] = [
  ...[awsCalls, kubernetesRequests, googleCalls, logins, processes, containers, lookups, files],
  ...[connections, hostUsers],
];

/** Fallback for configuration findings and anything else without a history. */
const resource: AlertKind = { applies: () => true, isState: () => true, questions: () => [] };

/** Milliseconds for all answers together. */
const timeLimit = 20_000;

export type InvestigationDeps = Pick<HistoryDeps, 'language' | 'runner' | 'signal'>;

/** Answers an analyst's questions about an alert from telemetry. */
export class Investigation {
  readonly #kind: AlertKind;
  readonly #subCategory: string;
  readonly #entities: AlertEntities;
  readonly #history: History;

  constructor(alert: Tables['alerts'], { language, runner, signal }: InvestigationDeps) {
    const { sub_category = '' } = JSON.parse(alert.derived_fields) as { sub_category?: string };
    this.#subCategory = sub_category;
    this.#entities = new AlertEntities(JSON.parse(alert.entity_map) as EntityMap);
    this.#kind = kinds.find((kind) => kind.applies(this.#entities, sub_category)) ?? resource;
    const at = alert.first_event_at ?? alert.start_at;
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(timeLimit)]);
    this.#history = new History({ language, runner, account: alert.owner_id, at, signal: bounded });
  }

  get isState(): boolean {
    return this.#kind.isState(this.#subCategory);
  }

  /** Sequentially, to leave capacity for other searches. */
  async answers(): Promise<Answered[]> {
    const answered: Answered[] = [];
    for (const { question, answer } of this.#kind.questions(this.#entities)) {
      const text = await answer(this.#history).catch(unanswered);
      answered.push({ question: question.slice(0, 500), answer: text.slice(0, 1_000) });
    }
    return answered;
  }
}

/** A slow answer must not fail the others. */
function unanswered(error: unknown): string {
  const isLate = error instanceof Error && /abort|timeout/i.test(error.name);
  if (isLate || (error instanceof Refusal && error.code === 'UNAVAILABLE'))
    return 'Not known: the search took too long';
  throw error;
}
