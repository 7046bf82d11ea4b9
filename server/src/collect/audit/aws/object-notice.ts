import { LogFault } from '../formats/log-fault.ts';
import { type Members, membersOf, nonEmpty } from '../formats/members.ts';

/** An object of S3 that a message announces. */
export interface NoticedObject {
  readonly bucket: string;
  readonly key: string;
  /** Where known: the region of the bucket. */
  readonly region?: string | undefined;
  readonly etag?: string | undefined;
  readonly size?: number | undefined;
}

/** An envelope in an envelope, and none more. */
const maxEnvelopes = 2;
const maxObjects = 1_000;

/**
 * The objects that a message announces, in any of the three envelopes: a notification of S3, the same or a notice of
 * CloudTrail through SNS, or an event of EventBridge. Test messages announce none.
 */
export function noticedObjects(body: string): NoticedObject[] {
  let message = parsed(body);
  for (let depth = 0; message.Type === 'Notification' && depth < maxEnvelopes; depth++)
    message = parsed(String(message.Message));
  const objects = objectsIn(message);
  if (objects.length > maxObjects) throw new LogFault(`announces more than ${maxObjects} objects`);
  return objects;
}

function objectsIn(message: Members): NoticedObject[] {
  if (Array.isArray(message.Records))
    return message.Records.flatMap((each) => ofNotification(membersOf(each)));
  if (message['detail-type'] !== undefined) return ofEvent(message);
  if (message.s3Bucket !== undefined) return ofCloudTrail(message);
  const isTest = message.Event === 's3:TestEvent' || message.Type === 'SubscriptionConfirmation';
  // CloudTrail tests a topic with a plain sentence.
  if (isTest || message.text !== undefined) return [];
  throw new LogFault(
    'is neither a notification of S3, nor a notice of CloudTrail, nor an event of EventBridge',
  );
}

function ofNotification({ eventSource, eventName, awsRegion, s3 }: Members): NoticedObject[] {
  if (eventSource !== 'aws:s3') throw new LogFault('has a record that is not from S3');
  if (!String(eventName).replace(/^s3:/, '').startsWith('ObjectCreated:')) return [];
  const { bucket, object } = membersOf(s3);
  const { key, eTag, size } = membersOf(object);
  return [
    {
      ...named(membersOf(bucket).name, decodedKey(String(key ?? ''))),
      region: nonEmpty(awsRegion),
      etag: nonEmpty(eTag),
      size: typeof size === 'number' ? size : undefined,
    },
  ];
}

/** Keys are not encoded here. */
function ofEvent(event: Members): NoticedObject[] {
  if (event.source !== 'aws.s3' || event['detail-type'] !== 'Object Created') return [];
  const { bucket, object } = membersOf(event.detail);
  const { key, etag, size } = membersOf(object);
  return [
    {
      ...named(membersOf(bucket).name, key),
      region: nonEmpty(event.region),
      etag: nonEmpty(etag),
      size: typeof size === 'number' ? size : undefined,
    },
  ];
}

function ofCloudTrail({ s3Bucket, s3ObjectKey }: Members): NoticedObject[] {
  if (!Array.isArray(s3ObjectKey)) throw new LogFault('has no array "s3ObjectKey"');
  return s3ObjectKey.map((key) => named(s3Bucket, key));
}

const bucketPattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const maxKeyBytes = 1_024;

/** Names that could lead to another object, because URLs drop segments of dots, are refused. */
function named(bucket: unknown, key: unknown): { bucket: string; key: string } {
  if (typeof bucket !== 'string' || !bucketPattern.test(bucket)) throw new LogFault('names no valid bucket');
  if (typeof key !== 'string' || key === '' || Buffer.byteLength(key) > maxKeyBytes)
    throw new LogFault('names no valid object');
  if (key.split('/').some((part) => part === '.' || part === '..'))
    throw new LogFault('names an object with a segment of dots in its key');
  return { bucket, key };
}

function decodedKey(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    throw new LogFault('has an object key that is not form-encoded');
  }
}

function parsed(text: string): Members {
  try {
    return membersOf(JSON.parse(text));
  } catch {
    if (/^CloudTrail validation message/i.test(text)) return { text };
    throw new LogFault('is not JSON');
  }
}
