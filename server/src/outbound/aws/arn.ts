import { OutboundError } from '../outbound.ts';

export interface Arn {
  readonly partition: string;
  readonly service: string;
  readonly region: string;
  readonly account: string;
  readonly resource: string;
}

/** Host names are built from regions, so a region must not be able to change the host. */
const regionPattern = /^[a-z]{2,4}(?:-[a-z]+){1,3}-\d{1,2}$/;
export function isRegion(value: string | undefined): value is string {
  return value !== undefined && regionPattern.test(value);
}

const arnPattern = /^arn:(aws[a-z-]{0,20}):([a-z0-9-]{1,40}):([^:]*):(\d{12}|):(.+)$/s;

/** Parses an ARN of one service; `member` names the request member in the error. */
export function parseArn(arn: string, service: string, member: string): Arn {
  const [, partition = '', actualService, region = '', account = '', resource = ''] =
    arnPattern.exec(arn) ?? [];
  if (actualService !== service || (region !== '' && !isRegion(region)))
    throw new OutboundError(`${member} is not an ARN of ${service}: correct it.`, { isFinal: true });
  return { partition, service, region, account, resource };
}

/** Region that serves global services, by partition. */
const homes: Readonly<Record<string, string>> = { 'aws-cn': 'cn-north-1', 'aws-us-gov': 'us-gov-west-1' };

export function homeOf(partition: string, preferred: string | undefined): string {
  if (partition !== 'aws') return homes[partition] ?? 'us-east-1';
  return isRegion(preferred) ? preferred : 'us-east-1';
}

export function domainOf(region: string): string {
  return region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
}
