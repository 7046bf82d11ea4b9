import { CollectError } from '../inventory/problem.ts';
import type { Reading } from '../inventory/reading.ts';
import { meaningOf } from './aws-problem.ts';
import { AwsCalls } from './calls.ts';
import { allPermissionsOf } from './permissions.ts';
import { AwsReader, globalRegion } from './reader.ts';
import { type AwsCustomRead, type AwsRead, type AwsService, isCustom, kindsOf } from './service.ts';
import { type AwsSession, homeRegion } from './session.ts';

/** The readings of an account: each read of each service, in each region or once. */
export function awsReadings(
  session: AwsSession,
  services: readonly AwsService[],
  regions: readonly string[],
): Reading[] {
  const home = homeRegion(session.account.partition);
  return services.flatMap((service) =>
    service.reads.flatMap((read) =>
      service.regions === 'once'
        ? [awsReading(session, service, read, home)]
        : regions.map((region) => awsReading(session, service, read, region)),
    ),
  );
}

function awsReading(
  session: AwsSession,
  service: AwsService,
  read: AwsRead | AwsCustomRead,
  asked: string,
): Reading {
  const region = service.regions === 'once' ? globalRegion : asked;
  const call = isCustom(read) ? read.calls[0] : read.call;
  return {
    id: `${service.prefix}/${call} ${region}`,
    service: service.name,
    region,
    kinds: kindsOf(read),
    async read(output, signal) {
      const sdk = await service.load();
      const calls = new AwsCalls(session, service, { region: asked, sdk, signal });
      if (!isCustom(read)) return new AwsReader(calls, output).readAll(read);
      try {
        await read.read(calls, output);
      } catch (error) {
        signal.throwIfAborted();
        const permission = allPermissionsOf(service, read).join(', ');
        const meaning = meaningOf(error, {}, `${call} in ${asked}`, permission);
        if (meaning !== 'none') throw new CollectError(meaning, error);
      }
    },
  };
}
