import { CollectError } from '../inventory/problem.ts';

export type Members = Readonly<Record<string, unknown>>;

/** A resource of an AWS Config snapshot. */
export interface ConfigItem {
  /** `AWS::EC2::Instance`. */
  readonly type: string;
  readonly id: string;
  readonly arn: string;
  readonly account: string;
  /** `global` for those without a region. */
  readonly region: string;
  /** As an older SDK spells it: `instanceId`. */
  readonly configuration: Members;
  /** What further calls return, by name. */
  readonly supplement: Members;
  readonly tags: Readonly<Record<string, string>>;
  /** In epoch milliseconds. */
  readonly captured: number;
}

/** Undefined for a resource that was deleted, or of which nothing was recorded. */
export function configItemIn(value: unknown, index: number): ConfigItem | undefined {
  const members = membersOf(value);
  const { resourceType, resourceId, awsAccountId, awsRegion } = members;
  const what = `configurationItems[${index}]`;
  const isNamed = [resourceType, resourceId, awsRegion].every((one) => typeof one === 'string' && one !== '');
  if (!isNamed) throw invalid(`${what} has no resourceType, resourceId or awsRegion.`);
  const account = String(awsAccountId);
  if (!/^\d{12}$/.test(account)) throw invalid(`${what} has no awsAccountId with 12 digits.`);
  const status = String(members.configurationItemStatus ?? 'OK');
  if (/Deleted|NotRecorded/.test(status)) return undefined;
  const captured = Date.parse(String(members.configurationItemCaptureTime));
  return {
    ...{ type: String(resourceType), id: String(resourceId), region: String(awsRegion), account },
    arn: String(members.ARN ?? members.arn ?? ''),
    configuration: membersOf(parsed(members.configuration)),
    supplement: mappedValues(membersOf(members.supplementaryConfiguration)),
    tags: membersOf(members.tags) as Record<string, string>,
    captured: Number.isNaN(captured) ? 0 : captured,
  };
}

/** The delivery of AWS Config writes some documents as strings. */
function mappedValues(members: Members): Members {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, parsed(value)]));
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value;
  try {
    return parsed(JSON.parse(value));
  } catch {
    return value;
  }
}

export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

export function invalid(reason: string): CollectError {
  return new CollectError({ status: 'failed', reason });
}

/** Undefined if there is no value. */
export function wrapped(name: string, value: unknown): Members | undefined {
  return value === undefined || value === null ? undefined : { [name]: value };
}
