import type { IntegrationOutcome } from '../../integrations/state.ts';
import { OutboundError } from '../../outbound/outbound.ts';
import { Refusal } from '../../platform/errors.ts';
import type { SetAsideObject } from './ledger.ts';
import type { StepNames } from './source.ts';

export type Step = keyof StepNames;

const maxProblemLength = 500;

/** What happened in a run, as the state of the integration shows it. */
export class RunStatus {
  readonly #steps: StepNames;
  readonly #problems = new Map<Step, string>();
  #message: string | undefined;
  #lastReceived: number | undefined;

  constructor(steps: StepNames) {
    this.#steps = steps;
  }

  get isFailed(): boolean {
    return this.#problems.size > 0;
  }

  /** Whether the queue itself could not be read. */
  get isUnreadable(): boolean {
    return this.#problems.has('receive');
  }

  received(now: number): void {
    this.#lastReceived = now;
  }

  /** Only the first problem of a step is kept. Returns what may be shown of the error. */
  fail(step: Step, error: unknown): string {
    const message = presentable(error).slice(0, maxProblemLength);
    this.note(step, message);
    return message;
  }

  note(step: Step, message: string): void {
    if (!this.#problems.has(step)) this.#problems.set(step, codeIn(message) ?? message);
    this.#message ??= message;
  }

  /** `before` are the details of the last run, whose time of the last message is kept. */
  outcome(
    setAside: readonly SetAsideObject[],
    before: Readonly<Record<string, unknown>>,
  ): IntegrationOutcome {
    const steps = (['receive', 'decode', 'get', 'delete'] as const).map((step) => [
      this.#steps[step],
      this.#problems.get(step) ?? 'OK',
    ]);
    const earlier = typeof before.lastMsgRxTime === 'number' ? before.lastMsgRxTime : undefined;
    const lastMsgRxTime = this.#lastReceived ?? earlier;
    return {
      ok: !this.isFailed,
      details: {
        ...Object.fromEntries(steps),
        ...(lastMsgRxTime !== undefined && { lastMsgRxTime }),
        noData: lastMsgRxTime === undefined,
        ...(this.#message !== undefined && { message: this.#message }),
        ...(setAside.length > 0 && { setAside }),
      },
    };
  }
}

/** Clients know codes such as AccessDenied. */
function codeIn(message: string): string | undefined {
  return /^AWS \S+ answered \d+ (\w+)/.exec(message)?.[1];
}

/** Other errors are defects, and may contain anything. */
function presentable(error: unknown): string {
  if (error instanceof OutboundError || error instanceof Refusal) return error.message;
  return 'An unexpected error occurred: see the log of the service.';
}
