import { gzipSync } from 'node:zlib';

export const objectCount = Number(process.env.VEDETTE_BENCH_OBJECTS ?? 2_000);
export const eventsPerObject = 50;
export const bucket = 'trail-logs';

/** Each object repeats this many events of the one before, as two trails do. */
const repeated = 3;

/** Key of an object, with the path of CloudTrail. */
export function keyOf(index: number): string {
  return `AWSLogs/111122223333/CloudTrail/eu-west-1/2026/03/01/111122223333_CloudTrail_${index}.json.gz`;
}

/** The object with its own events, in no order, and some of the object before. */
export function objectOf(index: number, begin: number): Buffer {
  const own = Array.from({ length: eventsPerObject }, (_, at) => eventOf(index, at, begin));
  const others = index > 0 ? Array.from({ length: repeated }, (_, at) => eventOf(index - 1, at, begin)) : [];
  const records = [...own, ...others].sort((one, other) => (one.requestID < other.requestID ? -1 : 1));
  return gzipSync(JSON.stringify({ Records: records }));
}

function eventOf(index: number, at: number, begin: number) {
  const number = index * eventsPerObject + at;
  const eventTime = new Date(begin - ((number * 7_919) % 3_000_000)).toISOString().replace(/\.\d+/, '');
  return event(
    `event-${number}`,
    eventTime,
    ['DescribeInstances', 'GetObject', 'AssumeRole'][number % 3] as string,
  );
}

/** An event of the usual size. */
export function event(eventID: string, eventTime: string, eventName: string) {
  const user = `user-${eventID.length % 7}`;
  return {
    ...{ eventVersion: '1.11', eventID, eventTime, eventName, eventSource: 'ec2.amazonaws.com' },
    ...{ awsRegion: 'eu-west-1', sourceIPAddress: '203.0.113.7', userAgent: 'aws-cli/2.17 md/awscrt#0.20' },
    ...{ eventType: 'AwsApiCall', managementEvent: true, readOnly: true, recipientAccountId: '111122223333' },
    requestID: eventID.split('').reverse().join(''),
    userIdentity: {
      ...{ type: 'AssumedRole', principalId: `AROA${user}`, accountId: '111122223333' },
      arn: `arn:aws:sts::111122223333:assumed-role/ops/${user}`,
      sessionContext: { attributes: { mfaAuthenticated: 'false' }, sessionIssuer: { userName: 'ops' } },
    },
    requestParameters: {
      instancesSet: {},
      filterSet: { items: [{ name: 'tag:team', valueSet: 'x'.repeat(200) }] },
    },
    responseElements: null,
    tlsDetails: { tlsVersion: 'TLSv1.3', cipherSuite: 'TLS_AES_128_GCM_SHA256' },
  };
}
