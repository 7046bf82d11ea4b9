import type { TelemetryDataset } from '../telemetry/dataset.ts';
import { agentStream } from './agents.ts';
import { applicationStream } from './applications.ts';
import { activityStream } from './cloud-activities.ts';
import { trailStream } from './cloud-trail.ts';
import { type Company, type CompanySize, foundCompany } from './company.ts';
import { connectionStream } from './connections.ts';
import { containerStream } from './containers.ts';
import { eventStream } from './events.ts';
import { fileStreams } from './files.ts';
import { googleAuditStream } from './google-audit.ts';
import { daysOf, type Hour, hoursBefore } from './hour.ts';
import { imageStream } from './images.ts';
import { clusterAuditStream } from './kubernetes-audit.ts';
import { loginStream } from './logins.ts';
import { lookupStream } from './lookups.ts';
import { machineStreams } from './machines.ts';
import { tracesIn } from './oddities.ts';
import { packageStream } from './packages.ts';
import { podStream } from './pods.ts';
import { processStreams } from './processes.ts';
import { Random } from './random.ts';
import { secretStreams } from './secrets.ts';
import { singleConnectionStream } from './single-connections.ts';
import type { SimulatedRecord, Stream } from './stream.ts';
import { userStream } from './users.ts';

const streams: readonly Stream[] = [
  ...machineStreams,
  agentStream,
  userStream,
  packageStream,
  ...processStreams,
  applicationStream,
  imageStream,
  containerStream,
  podStream,
  connectionStream,
  singleConnectionStream,
  lookupStream,
  loginStream,
  ...fileStreams,
  ...secretStreams,
  trailStream,
  activityStream,
  eventStream,
  googleAuditStream,
  clusterAuditStream,
];

/** The records of one dataset in one hour. */
export interface Portion {
  readonly dataset: TelemetryDataset;
  readonly hour: Hour;
  /** How much of the simulation is made with it, from 0 to 1. */
  readonly share: number;
  records(): Iterable<SimulatedRecord>;
}

/**
 * Everything that a company reports. An hour is the same whenever it is simulated and however many others are, so
 * that a simulation goes on where an earlier one ended.
 */
export class Simulation {
  readonly company: Company;

  constructor(size: CompanySize) {
    this.company = foundCompany(size);
  }

  /**
   * Of so many days before the end, oldest first; within a day one dataset after the other, which a server stores faster.
   * Records are made while they are read, and not kept.
   */
  *portions(end: number, days: number): Generator<Portion> {
    const total = days * 24 * streams.length;
    let count = 0;
    for (const hours of daysOf(hoursBefore(end, days)))
      for (const stream of streams)
        for (const hour of hours)
          yield {
            dataset: stream.dataset,
            hour,
            share: ++count / total,
            records: () => this.#records(stream, hour),
          };
  }

  *#records(stream: Stream, hour: Hour): Generator<SimulatedRecord> {
    const { seed, hosts } = this.company;
    const random = new Random(stream.dataset.path, seed, hosts, hour.start);
    yield* stream.ofHour(this.company, hour, random);
    yield* tracesIn(stream.dataset, this.company, hour);
  }
}
