import { collectDefaultMetrics, Registry } from 'prom-client';
import { Tally } from './tally.ts';

/** What the process and the server did so far, in the text format of Prometheus. */
export class HttpMetrics {
  readonly #process = new Registry();
  readonly #tallies: Tally[] = [];
  readonly unknownPath = this.tally('any', 'unknown path');

  constructor() {
    collectDefaultMetrics({ register: this.#process, prefix: 'vedette_' });
  }

  /** The counters of one route. */
  tally(method: string, route: string): Tally {
    const tally = new Tally(method, route);
    this.#tallies.push(tally);
    return tally;
  }

  async text(): Promise<string> {
    return [
      '# HELP vedette_http_requests_total Requests answered, by method, route template and status.',
      '# TYPE vedette_http_requests_total counter',
      ...this.#tallies.flatMap((tally) => tally.requestLines()),
      '# HELP vedette_http_request_seconds Time from the request line until the answer is handed to the socket.',
      '# TYPE vedette_http_request_seconds histogram',
      ...this.#tallies.flatMap((tally) => tally.secondLines()),
      await this.#process.metrics(),
    ].join('\n');
  }
}
