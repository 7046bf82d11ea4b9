import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Counts what the server did. No label ever holds a tenant's name, an id or an address. */
export class HttpMetrics {
  readonly registry = new Registry();
  readonly #requests = new Counter({
    name: 'vedette_http_requests_total',
    help: 'Requests answered, by method, route template and status.',
    labelNames: ['method', 'route', 'status'] as const,
    registers: [this.registry],
  });
  readonly #seconds = new Histogram({
    name: 'vedette_http_request_seconds',
    help: 'Time from the request line to the end of the answer, by route template.',
    labelNames: ['route'] as const,
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry, prefix: 'vedette_' });
  }

  observe(method: string, route: string, status: number, seconds: number): void {
    this.#requests.inc({ method, route, status });
    this.#seconds.observe({ route }, seconds);
  }
}
