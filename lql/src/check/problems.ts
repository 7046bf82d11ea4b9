import type { Fix, Problem } from '../text/problem.ts';
import type { Span } from '../text/span.ts';

/** Limit for errors and for warnings. */
const maxReported = 100;

export class Problems {
  readonly list: Problem[] = [];
  #errors = 0;
  #warnings = 0;

  get failed(): boolean {
    return this.#errors > 0;
  }

  /** Returns undefined, the check result of an invalid expression. */
  error(at: Span, message: string, fix?: Fix): undefined {
    if (this.#errors++ < maxReported) this.#add('error', at, message, fix);
  }

  warn(at: Span, message: string, fix?: Fix): void {
    if (this.#warnings++ < maxReported) this.#add('warning', at, message, fix);
  }

  #add(severity: Problem['severity'], at: Span, message: string, fix: Fix | undefined): void {
    const problem = { severity, stage: 'semantic', message, start: at.start, end: at.end } as const;
    this.list.push(fix ? { ...problem, fix } : problem);
  }
}
