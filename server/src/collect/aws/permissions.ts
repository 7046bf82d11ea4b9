import { type AwsCustomRead, type AwsRead, type AwsService, allReads, isCustom } from './service.ts';

/** The IAM actions of one read, without those below it. */
export function permissionsOf(
  service: AwsService,
  { call, permissions, tagging }: AwsRead,
): readonly string[] {
  const ofTags = tagging && !permissions ? [actionOf(service, tagging.call)] : [];
  return [...(permissions ?? [actionOf(service, call)]), ...ofTags];
}

/** All IAM actions of a read and of those below it. */
export function allPermissionsOf(service: AwsService, read: AwsRead | AwsCustomRead): string[] {
  if (isCustom(read)) return [...(read.permissions ?? read.calls.map((call) => actionOf(service, call)))];
  return [...allReads(read)].flatMap((one) => permissionsOf(service, one));
}

function actionOf({ prefix, iamPrefix = prefix }: AwsService, call: string): string {
  return `${iamPrefix}:${call}`;
}
