import type { Resource } from '../../telemetry/resource.ts';
import type { AwsAccount } from './service.ts';

/** RESOURCE_REGION of resources that have none, and the region of their scope. */
export const globalRegion = 'aws-global';

export interface AwsResource {
  /** Identifies it in its kind; the ARN by default. */
  readonly key?: string | undefined;
  readonly arn: string;
  readonly id: string;
  readonly type: string;
  readonly region: string;
  readonly service: string;
  /** The name of the call: `ListBuckets`. */
  readonly call: string;
  readonly parentArn?: string | undefined;
  /** JSON. */
  readonly config: string;
  readonly tags?: Readonly<Record<string, string>> | undefined;
}

/** A resource with the columns of its datasource. */
export function awsResource(account: AwsAccount, resource: AwsResource): Resource {
  const { key, arn, id, type, region, service, call, parentArn, config, tags } = resource;
  return {
    key: key ?? arn,
    facts: {
      ...{ URN: arn, RESOURCE_ID: id, RESOURCE_TYPE: type, SERVICE: service },
      ...{ RESOURCE_REGION: region, API_KEY: kebabCase(call) },
      ...{ ACCOUNT_ID: account.id, ACCOUNT_ALIAS: account.alias },
      ...(account.organization && { ORGANIZATION_ID: account.organization }),
      ...(parentArn && { PARENT_URN: parentArn }),
    },
    config,
    tags: tags && JSON.stringify(tags),
  };
}

/** `ListBuckets` is `list-buckets`, `DescribeDBInstances` is `describe-db-instances`, `ListWebACLs` is `list-web-acls`. */
export function kebabCase(call: string): string {
  return call
    .replaceAll(/([A-Z]{2,})s(?=[A-Z]|$)/g, '$1S')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase();
}
