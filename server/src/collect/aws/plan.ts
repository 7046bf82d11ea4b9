import { CollectError } from '../inventory/problem.ts';
import type { Reading } from '../inventory/reading.ts';
import { meaningOf } from './aws-problem.ts';
import { globalRegion } from './aws-resource.ts';
import { AwsCalls } from './calls.ts';
import { allPermissionsOf } from './permissions.ts';
import { AwsReader } from './reader.ts';
import {
  type AwsCustomRead,
  type AwsRead,
  type AwsRegions,
  type AwsService,
  isCustom,
  kindsOf,
} from './service.ts';
import { type AwsSession, homeRegion } from './session.ts';
import { uniqueOutput } from './unique-output.ts';

/** The readings of an account: each read of each service, in each region or once. */
export function awsReadings(
  session: AwsSession,
  services: readonly AwsService[],
  regions: readonly string[],
): Reading[] {
  const home = homeRegion(session.account.partition);
  return services.flatMap((service) =>
    service.reads.flatMap((read) =>
      regionsOf(service, read) === 'once'
        ? [awsReading(session, service, read, home)]
        : regions.map((region) => awsReading(session, service, read, region)),
    ),
  );
}

export function regionsOf(service: AwsService, read: AwsRead | AwsCustomRead): AwsRegions {
  return read.regions ?? service.regions;
}

function awsReading(
  session: AwsSession,
  service: AwsService,
  read: AwsRead | AwsCustomRead,
  asked: string,
): Reading {
  const regions = regionsOf(service, read);
  const region = regions === 'once' ? globalRegion : asked;
  const call = nameOf(read);
  return {
    id: `${service.prefix}/${call} ${region}`,
    service: service.name,
    region,
    kinds: kindsOf(read),
    async read(given, signal) {
      const output = uniqueOutput(given);
      const sdk = await service.load();
      const calls = new AwsCalls(session, service, { region: asked, sdk, signal });
      if (!isCustom(read)) return new AwsReader(calls, output).readAll(read, regions);
      try {
        await read.read(calls, output);
      } catch (error) {
        signal.throwIfAborted();
        const permission = allPermissionsOf(service, read).join(', ');
        const meaning = meaningOf(error, { off: read.off }, `${call} in ${asked}`, permission);
        // Nothing that code did not expect to be missing may look complete.
        const { message } = error as Error;
        throw new CollectError(meaning === 'none' ? { status: 'failed', reason: message } : meaning, error);
      }
    },
  };
}

/** A call that only leads to others is named for them. */
function nameOf(read: AwsRead | AwsCustomRead): string {
  if (isCustom(read)) return read.name;
  return read.kind ? read.call : (read.each?.[0]?.call ?? read.call);
}
