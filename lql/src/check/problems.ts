import type { Fix, Problem } from '../text/problem.ts';
import type { Span } from '../text/span.ts';

/** Of errors and of warnings: nobody reads more of them at once. */
const most = 100;

/** What the check found. */
export class Problems {
  readonly list: Problem[] = [];
  #errors = 0;
  #warnings = 0;

  get failed(): boolean {
    return this.#errors > 0;
  }

  /** Returns undefined, which is what the check has of an expression that is wrong. */
  error(at: Span, message: string, fix?: Fix): undefined {
    if (this.#errors++ < most) this.#add('error', at, message, fix);
  }

  warn(at: Span, message: string, fix?: Fix): void {
    if (this.#warnings++ < most) this.#add('warning', at, message, fix);
  }

  #add(severity: Problem['severity'], at: Span, message: string, fix: Fix | undefined): void {
    const problem = { severity, stage: 'semantic', message, start: at.start, end: at.end } as const;
    this.list.push(fix ? { ...problem, fix } : problem);
  }
}
