import { type AwsCustomRead, type AwsRead, type AwsService, allReads, isCustom } from './service.ts';

/** The IAM actions of one call. */
export function permissionsOf({ prefix }: AwsService, { call, permissions }: AwsRead): readonly string[] {
  return permissions ?? [`${prefix}:${call}`];
}

/** All IAM actions of a read and of those below it. */
export function allPermissionsOf(service: AwsService, read: AwsRead | AwsCustomRead): string[] {
  const { prefix } = service;
  if (isCustom(read)) return [...(read.permissions ?? read.calls.map((call) => `${prefix}:${call}`))];
  return [...allReads(read)].flatMap((one) => permissionsOf(service, one));
}
