import type { TelemetryDataset } from '@vedette/server/telemetry/dataset';
import { cloudTrailRawEvents } from '@vedette/server/telemetry/datasets/CloudTrailRawEvents';
import { dnss } from '@vedette/server/telemetry/datasets/DNSs';
import { files } from '@vedette/server/telemetry/datasets/Files';
import { processes } from '@vedette/server/telemetry/datasets/Processes';

/** Records of one dataset, and policies that match some of them. */
export interface Kind {
  readonly dataset: TelemetryDataset;
  readonly isStream: boolean;
  readonly profile: string;
  record(number: number, now: number): object;
  query(number: number): string;
}

const iso = (instant: number) => new Date(instant).toISOString();
/** Within the last 20 hours. */
const instantOf = (number: number, now: number) => now - 1 - ((number * 7_919) % 72_000) * 1_000;

/** Most policies find little or nothing, as in a healthy account. */
export const kinds: readonly Kind[] = [
  {
    dataset: cloudTrailRawEvents,
    isStream: true,
    profile: 'LW_CloudTrail_Alerts.CloudTrailDefaultAlert_AwsResource',
    record: (number, now) => ({
      eventTime: iso(instantOf(number, now)),
      eventID: `event-${number}`,
      eventName: number % 20_000 === 0 ? 'StopLogging' : `Describe${number % 300}`,
      eventSource: `service${number % 40}.amazonaws.com`,
      awsRegion: 'eu-central-1',
      recipientAccountId: '123456789012',
      sourceIPAddress: `203.0.113.${number % 250}`,
      userAgent: 'aws-cli/2.15.0 Python/3.11.6 Linux/6.1 source/x86_64',
      requestParameters: { instanceId: `i-${number}`, maxResults: 100 },
      userIdentity: {
        ...{ type: 'IAMUser', accountId: '123456789012', principalId: `AIDA${number % 500}` },
        ...{ arn: `arn:aws:iam::123456789012:user/user-${number % 500}`, userName: `user-${number % 500}` },
      },
    }),
    query: (number) => `{ source { CloudTrailRawEvents }
      filter { EVENT_NAME in ('${number === 0 ? 'StopLogging' : `Delete${number}`}', 'Remove${number}')
        and EVENT:userIdentity."type" <> 'AWSService' and ERROR_CODE is null }
      return { INSERT_ID, INSERT_TIME, EVENT_TIME, EVENT } }`,
  },
  {
    dataset: dnss,
    isStream: true,
    profile: 'LW_HA_DNS_REQUESTS_DEFAULT_PROFILE',
    record: (number, now) => ({
      ...{
        createdTime: iso(instantOf(number, now)),
        mid: number % 200,
        fqdn: `host${number % 5_000}.example.com`,
      },
      ...{ hostIpAddr: `192.0.2.${number % 250}`, ttl: 60, dnsServerIp: '192.0.2.53' },
    }),
    query: (number) => `{ source { LW_HA_DNS_REQUESTS } filter { HOSTNAME like '%pool${number}.example.org' }
      return { MID, HOSTNAME, RECORD_CREATED_TIME } }`,
  },
  {
    dataset: files,
    isStream: false,
    profile: 'LW_HE_FILES_DEFAULT_PROFILE.HE_File_NewViolation',
    record: (number, now) => ({
      ...{
        createdTime: iso(instantOf(number, now)),
        mid: number % 200,
        filePath: `/usr/lib/file-${number % 20_000}`,
      },
      ...{ filedataHash: `${number}`.padStart(64, '0'), size: number, mtime: '1', filePermissions: 644 },
      ownerUsername: 'root',
    }),
    query: (number) => `{ source { LW_HE_FILES }
      filter { PATH like '/usr/lib/file-${number}_1' and FILE_PERMISSIONS > 600 and OWNER_USERNAME = 'root' }
      return distinct { MID, PATH, FILE_PERMISSIONS } }`,
  },
  {
    dataset: processes,
    isStream: false,
    profile: 'LW_HE_PROCESSES_DEFAULT_PROFILE.HE_Process_NewViolation',
    record: (number, now) => {
      const startTime = Math.floor(instantOf(number, now) / 3_600_000) * 3_600_000;
      return {
        ...{ startTime: iso(startTime), endTime: iso(startTime + 3_600_000), mid: number % 200 },
        ...{ pid: number % 32_768, pidHash: number, ppid: 1, uid: 0, username: 'root' },
        ...{
          createdTime: iso(startTime),
          processStartTime: iso(startTime),
          filePath: `/usr/bin/tool-${number % 900}`,
        },
        cmdlineHash: 'aa',
        cmdline: `/usr/bin/tool-${number % 900} --port ${number % 60_000}`,
      };
    },
    query: (number) => `{ source { LW_HE_PROCESSES }
      filter { EXE_PATH = '/usr/bin/miner-${number}' or CMDLINE like '%--donate-level=${number}%' }
      return distinct { MID, PID_HASH, EXE_PATH, CMDLINE } }`,
  },
];
