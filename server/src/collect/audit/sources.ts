import type { IntegrationData } from '../../integrations/declaration.ts';
import { domainOf, parseArn } from '../../outbound/aws/arn.ts';
import type { Aws } from '../../outbound/aws/aws.ts';
import type { AwsCredentials, AwsRole } from '../../outbound/aws/credentials.ts';
import type { BulkOutbound } from '../../outbound/bulk-outbound.ts';
import type { GoogleServiceAccount, GoogleTokens } from '../../outbound/google/service-account.ts';
import { OutboundError } from '../../outbound/outbound.ts';
import type { Clock } from '../../platform/clock.ts';
import { AwsAccess } from './aws/aws-access.ts';
import { AwsLogSource } from './aws/aws-log-source.ts';
import type { NoticedObject } from './aws/object-notice.ts';
import { AzureLogSource } from './azure/azure-log-source.ts';
import { AzureStorage } from './azure/azure-storage.ts';
import { type AzureApplication, AzureTokens } from './azure/azure-tokens.ts';
import type { LogFormatName } from './formats/log-formats.ts';
import { PubsubSource, subscriptionOf } from './google/pubsub-source.ts';
import type { AuditSourceType } from './source.ts';

export interface AuditSourcesDeps {
  readonly aws: Aws;
  readonly google: GoogleTokens;
  readonly clock: Clock;
  readonly outbound: BulkOutbound;
}

const awsSteps = { receive: 'sqsRx', decode: 'decodeNtfn', get: 's3Get', delete: 'sqsDel' };
const queueSteps = { receive: 'queueRx', decode: 'decodeNtfn', get: 'logFileGet', delete: 'queueDel' };
/** SQS and Pub/Sub wait for messages themselves, storage queues do not. */
const [awsPause, googlePause, azurePause] = [500, 1_000, 10_000];

/** Integration types that bring audit logs, and how. */
export function auditSources(deps: AuditSourcesDeps): Readonly<Record<string, AuditSourceType>> {
  const { aws, google: tokens, outbound, clock } = deps;
  const accessAs = (as: AwsRole | AwsCredentials) => new AwsAccess(aws, outbound, as);
  const cloudTrail = (queueUrl: unknown, as: AwsRole | AwsCredentials) =>
    new AwsLogSource({
      ...{ access: accessAs(as), queueUrl: String(queueUrl), format: 'cloudTrail' },
      isLog: isCloudTrailLog,
    });
  const azureTokens = new AzureTokens(outbound, clock);
  const google = (data: IntegrationData, project: unknown, format: LogFormatName) => {
    const account = data.credentials as GoogleServiceAccount;
    present(account.privateKey);
    const subscription = subscriptionOf(String(data.subscriptionName), String(project ?? ''));
    return new PubsubSource({ outbound, tokens, account, subscription, format });
  };
  const others = { steps: queueSteps, pause: googlePause };
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
    GcpAtSes: { ...others, open: (data) => google(data, data.id, 'googleAudit') },
    GcpAlPubSub: { ...others, open: (data) => google(data, data.projectId, 'googleAudit') },
    GcpGkeAudit: { ...others, open: (data) => google(data, data.projectId, 'gkeAudit') },
    AzureAlSeq: {
      ...{ steps: queueSteps, pause: azurePause },
      open: (data) => {
        const { clientId, clientSecret } = data.credentials as AzureApplication;
        const application = {
          tenantId: String(data.tenantId),
          clientId,
          clientSecret: present(clientSecret),
        };
        const storage = new AzureStorage({ outbound, tokens: azureTokens, application });
        return new AzureLogSource(storage, String(data.queueUrl), clock);
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
  return { accessKeyId, secretAccessKey: present(secretAccessKey), sessionToken: undefined };
}

/** Clients may create an integration before they know its secret. */
function present(secret: string | undefined): string {
  if (secret) return secret;
  throw new OutboundError('A secret is missing: add it.', { isFinal: true });
}
