import { Type } from 'typebox';

interface CloudName {
  readonly noun: string;
  readonly pattern: string;
  /** All match the pattern; messages show the first. */
  readonly examples: readonly [string, ...string[]];
}

const arn = (noun: string, rest: string, example: string): CloudName => ({
  noun,
  pattern: `arn:aws[a-z-]*:${rest}`,
  examples: [`arn:aws:${example}`, `arn:aws-us-gov:${example}`],
});
const uuid = (noun: string): CloudName => ({
  noun,
  pattern: '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}',
  examples: ['8a1b2c3d-0000-4000-8000-112233445566', 'B1C2D3E4-0000-4000-8000-112233445566'],
});
/** Domain-scoped projects have the domain as a prefix. */
const project = '(?:[a-z0-9.-]+:)?[a-z][a-z0-9-]{4,28}[a-z0-9]';

/** Identifier formats of cloud providers: the accepted pattern, and examples for messages. */
export const cloudNames = {
  awsAccount: {
    noun: 'an AWS account id of 12 digits',
    pattern: '[0-9]{12}',
    examples: ['123456789012', '210987654321'],
  },
  awsRole: arn(
    'the ARN of an IAM role',
    'iam::[0-9]{12}:role/[A-Za-z0-9_+=,.@/-]+',
    'iam::123456789012:role/vedette-reader',
  ),
  awsBucket: arn('the ARN of an S3 bucket', 's3:::[A-Za-z0-9_.-]{3,255}(?:/.*)?', 's3:::example-bucket'),
  awsTopic: arn(
    'the ARN of an SNS topic',
    'sns:[a-z0-9-]+:[0-9]{12}:[A-Za-z0-9_.-]+',
    'sns:eu-west-1:123456789012:example-topic',
  ),
  awsEventBus: arn(
    'the ARN of an EventBridge event bus',
    'events:[a-z0-9-]+:[0-9]{12}:event-bus/[A-Za-z0-9_./-]+',
    'events:eu-west-1:123456789012:event-bus/default',
  ),
  azureTenant: uuid('the UUID of an Azure tenant'),
  azureSubscription: uuid('the UUID of an Azure subscription'),
  googleProject: {
    noun: 'a Google Cloud project id',
    pattern: project,
    examples: ['example-project-123456', 'example.com:project-7'],
  },
} as const satisfies Record<string, CloudName>;

export type CloudNameKind = keyof typeof cloudNames;

export function isCloudName(kind: CloudNameKind, value: string): boolean {
  return new RegExp(`^(?:${cloudNames[kind].pattern})$`).test(value);
}

export function expectedName(kind: CloudNameKind): string {
  const { noun, examples } = cloudNames[kind];
  return `${noun} such as ${examples[0]}`;
}

/** Schema of a required cloud identifier. */
export function cloudName(kind: CloudNameKind, description: string) {
  return identifier(kind, description, `^(?:${cloudNames[kind].pattern})$`, { minLength: 1 });
}

/** Like `cloudName`, but accepts the empty string that clients send for an unset value. */
export function cloudNameOrEmpty(kind: CloudNameKind, description: string) {
  return identifier(kind, description, `^(?:|${cloudNames[kind].pattern})$`, {});
}

function identifier(
  kind: CloudNameKind,
  description: string,
  pattern: string,
  bounds: { minLength?: number },
) {
  return Type.String({
    ...bounds,
    pattern,
    maxLength: 2_048,
    description: `${description} It must be ${expectedName(kind)}.`,
    examples: [...cloudNames[kind].examples],
  });
}
