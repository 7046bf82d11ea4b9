import type { IntegrationData } from '../../integrations/declaration.ts';
import { domainOf, parseArn } from '../../outbound/aws/arn.ts';
import type { Aws } from '../../outbound/aws/aws.ts';
import type { AwsCredentials, AwsRole } from '../../outbound/aws/credentials.ts';
import type { BulkOutbound } from '../../outbound/bulk-outbound.ts';
import { AwsAccess } from './aws/aws-access.ts';
import { AwsLogSource } from './aws/aws-log-source.ts';
import type { NoticedObject } from './aws/object-notice.ts';
import type { AuditSourceType } from './source.ts';

export interface AuditSourcesDeps {
  readonly aws: Aws;
  readonly outbound: BulkOutbound;
}

const awsSteps = { receive: 'sqsRx', decode: 'decodeNtfn', get: 's3Get', delete: 'sqsDel' };
/** SQS waits for messages itself. */
const awsPause = 500;

/** Integration types that bring audit logs, and how. */
export function auditSources({ aws, outbound }: AuditSourcesDeps): Readonly<Record<string, AuditSourceType>> {
  const accessAs = (as: AwsRole | AwsCredentials) => new AwsAccess(aws, outbound, as);
  const cloudTrail = (queueUrl: unknown, as: AwsRole | AwsCredentials) =>
    new AwsLogSource({
      ...{ access: accessAs(as), queueUrl: String(queueUrl), format: 'cloudTrail' },
      isLog: isCloudTrailLog,
    });
  return {
    AwsCtSqs: {
      ...{ steps: awsSteps, pause: awsPause },
      open: (data) => cloudTrail(data.queueUrl, roleOf(data)),
    },
    AwsUsGovCtSqs: {
      ...{ steps: awsSteps, pause: awsPause },
      open: (data) => cloudTrail(data.queueUrl, keyOf(data)),
    },
    AwsEksAudit: {
      ...{ steps: awsSteps, pause: awsPause },
      open: (data) => {
        const bucket = String(data.s3BucketArn ?? '')
          .split(':')
          .at(-1);
        return new AwsLogSource({
          ...{
            access: accessAs(roleOf(data)),
            queueUrl: queueOfTopic(String(data.snsArn)),
            format: 'eksAudit',
          },
          isLog: (object) => !bucket || object.bucket === bucket,
        });
      },
    },
  };
}

/** Digests and insights lie beside the logs, and so may anything else. */
function isCloudTrailLog({ key }: NoticedObject): boolean {
  return !/\/CloudTrail-(?:Digest|Insight|Aggregated)\//.test(`/${key}`) && !key.endsWith('/');
}

/** The integration names a topic only: the queue that is subscribed to it has its name, account and region. */
function queueOfTopic(topicArn: string): string {
  const { region, account, resource } = parseArn(topicArn, 'sns', 'snsArn');
  return `https://sqs.${region}.${domainOf(region)}/${account}/${resource}`;
}

function roleOf({ crossAccountCredentials }: IntegrationData): AwsRole {
  return crossAccountCredentials as AwsRole;
}

function keyOf({ accessKeyCredentials }: IntegrationData): AwsCredentials {
  const { accessKeyId, secretAccessKey } = accessKeyCredentials as AwsCredentials;
  return { accessKeyId, secretAccessKey, sessionToken: undefined };
}
