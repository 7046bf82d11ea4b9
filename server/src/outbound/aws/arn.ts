import { OutboundError } from '../outbound.ts';

export interface Arn {
  readonly partition: string;
  readonly service: string;
  readonly region: string;
  readonly account: string;
  readonly resource: string;
}

/** Hosts are made of regions: whatever could lead to another host is none. */
const regionForm = /^[a-z]{2,4}(?:-[a-z]+){1,3}-\d{1,2}$/;
export function isRegion(text: string | undefined): text is string {
  return text !== undefined && regionForm.test(text);
}

const arnForm = /^arn:(aws[a-z-]{0,20}):([a-z0-9-]{1,40}):([^:]*):(\d{12}|):(.+)$/s;

/** The parts of an ARN of one service; the member is named in the complaint. */
export function parseArn(text: string, service: string, member: string): Arn {
  const [, partition = '', found, region = '', account = '', resource = ''] = arnForm.exec(text) ?? [];
  if (found !== service || (region !== '' && !isRegion(region)))
    throw new OutboundError(`${member} is not an ARN of ${service}: correct it.`, { isFinal: true });
  return { partition, service, region, account, resource };
}

/** Where services that belong to no region are asked, by partition. */
const homes: Readonly<Record<string, string>> = { 'aws-cn': 'cn-north-1', 'aws-us-gov': 'us-gov-west-1' };

export function homeOf(partition: string, preferred: string | undefined): string {
  if (partition !== 'aws') return homes[partition] ?? 'us-east-1';
  return isRegion(preferred) ? preferred : 'us-east-1';
}

export function domainOf(region: string): string {
  return region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
}
