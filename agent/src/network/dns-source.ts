import type { Observation, Source } from '../source.ts';

/** DNS queries are not observed yet; the gap says so, as a host without queries would be remarkable. */
export class DnsSource implements Source {
  readonly name = 'dns';
  readonly interval = 3_600_000;

  async observe(): Promise<Observation> {
    const reason =
      'Linux keeps no record of them and the agent does not capture packets: send the query log of your resolver to Activities/DNSs of the ingest API.';
    return { records: {}, gaps: [{ what: 'DNS queries', reason }] };
  }
}
