import type { TelemetryDataset } from '../telemetry/dataset.ts';
import { type Company, type CompanySize, createCompany } from './company/company.ts';
import type { Machine } from './company/machine.ts';
import { daysOf, type Hour, hoursBefore } from './hour.ts';
import { incidentRecordsIn } from './planted-incidents.ts';
import { Random } from './random.ts';
import type { SimulatedRecord, Stream } from './stream.ts';
import { agentStream } from './streams/agents.ts';
import { applicationStream } from './streams/applications.ts';
import { azureActivityStream } from './streams/azure-activity.ts';
import { activityStream } from './streams/cloud-activities.ts';
import { trailStream } from './streams/cloud-trail.ts';
import { connectionStream } from './streams/connections.ts';
import { containerStream } from './streams/containers.ts';
import { eventStream } from './streams/events.ts';
import { fileStreams } from './streams/files.ts';
import { googleAuditStream } from './streams/google-audit.ts';
import { imageStream } from './streams/images.ts';
import { clusterAuditStream } from './streams/kubernetes-audit.ts';
import { loginStream } from './streams/logins.ts';
import { lookupStream } from './streams/lookups.ts';
import { machineStreams } from './streams/machines.ts';
import { packageStream } from './streams/packages.ts';
import { podStream } from './streams/pods.ts';
import { processStreams } from './streams/processes.ts';
import { secretStreams } from './streams/secrets.ts';
import { singleConnectionStream } from './streams/single-connections.ts';
import { userStream } from './streams/users.ts';

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
  azureActivityStream,
  clusterAuditStream,
];

/** The records of one dataset in one hour. */
export interface Portion {
  readonly dataset: TelemetryDataset;
  readonly hour: Hour;
  /** Progress of the simulation after this portion, from 0 to 1. */
  readonly share: number;
  records(): Iterable<SimulatedRecord>;
}

/**
 * All records of a simulated company. An hour is deterministic, independent of the simulated period, so that a
 * simulation continues where an earlier one ended.
 */
export class Simulation {
  readonly company: Company;

  constructor(size: CompanySize) {
    this.company = createCompany(size);
  }

  /**
   * Portions of the days before the end, oldest first, grouped by dataset within a day, which a server stores
   * faster. Records are generated lazily.
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

  /** The records that one host reports, without planted incidents. */
  hostRecords(path: string, machine: Machine, hour: Hour): Iterable<SimulatedRecord> {
    const { seed, hosts } = this.company;
    const stream = streams.find(({ dataset }) => dataset.path === path);
    if (!stream?.ofHost) throw new Error(`Hosts do not report ${path}.`);
    const random = new Random(path, seed, hosts, hour.start, machine.index);
    return stream.ofHost(this.company, machine, hour, random);
  }

  *#records(stream: Stream, hour: Hour): Generator<SimulatedRecord> {
    const { seed, hosts } = this.company;
    const random = new Random(stream.dataset.path, seed, hosts, hour.start);
    yield* stream.ofHour(this.company, hour, random);
    yield* incidentRecordsIn(stream.dataset, this.company, hour);
  }
}
