import type { TelemetryDataset } from '../telemetry/dataset.ts';
import type { Company } from './company/company.ts';
import { type Hour, millisecondsPerHour } from './hour.ts';
import { changedBinary } from './incidents/changed-binary.ts';
import { cryptoMiner } from './incidents/crypto-miner.ts';
import { foreignOwner } from './incidents/foreign-owner.ts';
import type { Incident } from './incidents/incident.ts';
import { openedSecurityGroup } from './incidents/opened-security-group.ts';
import { privilegedContainer } from './incidents/privileged-container.ts';
import { publicLogin } from './incidents/public-login.ts';
import { rootLogin } from './incidents/root-login.ts';
import { stoppedTrail } from './incidents/stopped-trail.ts';
import { Random } from './random.ts';
import type { SimulatedRecord } from './stream.ts';

const incidents: readonly Incident[] = [
  publicLogin,
  rootLogin,
  cryptoMiner,
  changedBinary,
  privilegedContainer,
  openedSecurityGroup,
  stoppedTrail,
  foreignOwner,
];

/** The records of planted incidents in a dataset and hour. */
export function* incidentRecordsIn(
  dataset: TelemetryDataset,
  company: Company,
  hour: Hour,
): Generator<SimulatedRecord> {
  const { seed, hosts } = company;
  for (const { name, generate } of incidents) {
    if ((hour.start / millisecondsPerHour) % 24 !== new Random(name, seed, hosts).below(24)) continue;
    const random = new Random(name, seed, hosts, hour.start);
    const instant = hour.start + random.below(millisecondsPerHour / 2);
    for (const [target, ...records] of generate({ company, hour, instant, random }))
      if (target === dataset) yield* records;
  }
}
