const bounds = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];

/** Response counters and latency histogram of one route, in plain fields for speed. Labels never identify a tenant. */
export class RouteCounters {
  readonly method: string;
  readonly route: string;
  readonly statuses = new Map<number, number>();
  /** Responses in each bucket, not cumulative. */
  readonly #buckets = new Array<number>(bounds.length + 1).fill(0);
  #seconds = 0;
  #count = 0;

  constructor(method: string, route: string) {
    this.method = method;
    this.route = route;
  }

  observe(status: number, seconds: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    let bucket = 0;
    while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket++;
    this.#buckets[bucket] = (this.#buckets[bucket] as number) + 1;
    this.#seconds += seconds;
    this.#count++;
  }

  requestLines(): string[] {
    return [...this.statuses].map(
      ([status, count]) =>
        `vedette_http_requests_total{method="${this.method}",route="${this.route}",status="${status}"} ${count}`,
    );
  }

  secondLines(): string[] {
    if (this.#count === 0) return [];
    const labels = `method="${this.method}",route="${this.route}"`;
    let sum = 0;
    const buckets = [...bounds.map(String), '+Inf'].map((bound, index) => {
      sum += this.#buckets[index] as number;
      return `vedette_http_request_seconds_bucket{le="${bound}",${labels}} ${sum}`;
    });
    return [
      ...buckets,
      `vedette_http_request_seconds_sum{${labels}} ${this.#seconds}`,
      `vedette_http_request_seconds_count{${labels}} ${this.#count}`,
    ];
  }
}
