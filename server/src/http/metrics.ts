import { collectDefaultMetrics, Registry } from 'prom-client';
import { RouteCounters } from './route-counters.ts';

export interface ConnectionCounts {
  open: number;
  /** Rejected because a limit was reached: per address or in total. */
  readonly refused: { address: number; total: number };
  /** Closed for exceeding the pipelining limit, or for not reading a response. */
  readonly closed: { pipelining: number; unread: number };
}

/** Metrics of the process and the HTTP server, in the Prometheus text format. */
export class HttpMetrics {
  readonly #process = new Registry();
  readonly #counters: RouteCounters[] = [];
  readonly connections: ConnectionCounts = {
    open: 0,
    refused: { address: 0, total: 0 },
    closed: { pipelining: 0, unread: 0 },
  };
  readonly unknownPath = this.counters('any', 'unknown path');
  /** Pages and files of the console. */
  readonly pages = this.counters('GET', 'console');

  constructor() {
    collectDefaultMetrics({ register: this.#process, prefix: 'vedette_' });
  }

  /** Registers the counters of one route. */
  counters(method: string, route: string): RouteCounters {
    const counters = new RouteCounters(method, route);
    this.#counters.push(counters);
    return counters;
  }

  async text(): Promise<string> {
    const { open, refused, closed } = this.connections;
    return [
      '# HELP vedette_http_connections Open connections.',
      '# TYPE vedette_http_connections gauge',
      `vedette_http_connections ${open}`,
      '# HELP vedette_http_connections_closed_total Connections rejected because the limit per address or in total was reached, or closed for pipelining too many requests or for not reading a response.',
      '# TYPE vedette_http_connections_closed_total counter',
      ...Object.entries({ ...refused, ...closed }).map(
        ([reason, count]) => `vedette_http_connections_closed_total{reason="${reason}"} ${count}`,
      ),
      '# HELP vedette_http_requests_total Requests answered, by method, route template and status.',
      '# TYPE vedette_http_requests_total counter',
      ...this.#counters.flatMap((counters) => counters.requestLines()),
      '# HELP vedette_http_request_seconds Time from the request line until the response is handed to the socket.',
      '# TYPE vedette_http_request_seconds histogram',
      ...this.#counters.flatMap((counters) => counters.secondLines()),
      await this.#process.metrics(),
    ].join('\n');
  }
}
