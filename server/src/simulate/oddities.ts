import type { TelemetryDataset } from '../telemetry/dataset.ts';
import type { Company } from './company.ts';
import { type Hour, hourLength } from './hour.ts';
import { changedBinary } from './oddities/changed-binary.ts';
import { cryptoMiner } from './oddities/crypto-miner.ts';
import { foreignOwner } from './oddities/foreign-owner.ts';
import type { Oddity } from './oddities/oddity.ts';
import { openedSecurityGroup } from './oddities/opened-security-group.ts';
import { privilegedContainer } from './oddities/privileged-container.ts';
import { publicLogin } from './oddities/public-login.ts';
import { rootLogin } from './oddities/root-login.ts';
import { stoppedTrail } from './oddities/stopped-trail.ts';
import { Random } from './random.ts';
import type { SimulatedRecord } from './stream.ts';

const oddities: readonly Oddity[] = [
  publicLogin,
  rootLogin,
  cryptoMiner,
  changedBinary,
  privilegedContainer,
  openedSecurityGroup,
  stoppedTrail,
  foreignOwner,
];

/** What oddities leave behind in a dataset within the hour. */
export function* tracesIn(
  dataset: TelemetryDataset,
  company: Company,
  hour: Hour,
): Generator<SimulatedRecord> {
  const { seed, hosts } = company;
  for (const { name, happen } of oddities) {
    if ((hour.start / hourLength) % 24 !== new Random(name, seed, hosts).below(24)) continue;
    const random = new Random(name, seed, hosts, hour.start);
    const moment = hour.start + random.below(hourLength / 2);
    for (const [place, ...records] of happen({ company, hour, moment, random }))
      if (place === dataset) yield* records;
  }
}
