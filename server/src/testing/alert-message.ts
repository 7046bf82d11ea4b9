import type { AlertMessage } from '../alerts/alert-message.ts';

const opened: AlertMessage = {
  deliveryId: '018f1c2d3e4f5a6b7c8d9e0f1a2b3c4d',
  occasion: 'opened',
  account: 'acme',
  alertId: 17,
  alertName: 'Security group open to the world',
  alertType: 'CloudTrailDefaultAlert',
  severity: 'High',
  status: 'Open',
  subject: 'Security group open to the world: alice opened sg-0a1b & <two more>',
  description: 'Ports that "everyone" reaches are scanned & attacked within minutes.',
  remediation: '1. Ask alice why.\n2. Limit the rule to the <addresses> that need it.',
  category: 'Policy',
  subCategory: 'Cloud Activity',
  source: 'AWS',
  policyId: 'lacework-global-39',
  startTime: '2026-03-01T11:00:00.000Z',
  endTime: '2026-03-01T11:20:00.000Z',
  firstEventTime: '2026-03-01T10:58:00.000Z',
  lastEventTime: '2026-03-01T11:19:00.000Z',
  violations: 3,
  entities: [
    { kind: 'CT_User', names: ['alice'], total: 1 },
    { kind: 'AwsResource', names: ['sg-0a1b', 'sg-<2>', 'sg-"3"'], total: 3 },
  ],
  link: 'https://vedette.example.com/api/v2/Alerts/17?scope=Details&a=b',
};

const updated: AlertMessage = {
  ...opened,
  deliveryId: '018f1c2d3e4f5a6b7c8d9e0f1a2b3c51',
  occasion: 'updated',
  violations: 5,
  entities: [
    { kind: 'CT_User', names: ['alice', 'bob'], total: 2 },
    { kind: 'AwsResource', names: ['sg-0a1b', 'sg-<2>', 'sg-"3"', 'sg-4'], total: 4 },
  ],
  newEntities: [
    { kind: 'CT_User', names: ['bob'], total: 1 },
    { kind: 'AwsResource', names: ['sg-4'], total: 1 },
  ],
};

const long = 'Ünïcödé <b>&"quotes"</b> \\ \n\t😀 '.repeat(400);

const many = Array.from({ length: 50 }, (_, kind) => ({
  kind: `Kind${kind}`,
  names: Array.from({ length: 100 }, (_, at) => `${at} ${long}`),
  total: 10_000,
}));

/** Sample messages for channel tests: each occasion, and the longest possible ones. */
export const sampleMessages = {
  opened,
  updated,
  closed: {
    ...opened,
    deliveryId: '018f1c2d3e4f5a6b7c8d9e0f1a2b3c4e',
    occasion: 'closed',
    status: 'Closed',
  },
  test: {
    ...opened,
    deliveryId: '018f1c2d3e4f5a6b7c8d9e0f1a2b3c4f',
    occasion: 'test',
    alertId: 0,
    alertName: 'Vedette channel test',
    subject: 'Vedette channel test',
    description: 'This is a test message from Vedette. No action is needed.',
    remediation: '',
    severity: 'Info',
    policyId: '',
    violations: 0,
    entities: [],
  },
  storm: {
    ...opened,
    deliveryId: '018f1c2d3e4f5a6b7c8d9e0f1a2b3c50',
    alertName: long,
    subject: long,
    description: long,
    remediation: long,
    violations: 10_000,
    entities: many,
  },
  updatedStorm: {
    ...updated,
    deliveryId: '018f1c2d3e4f5a6b7c8d9e0f1a2b3c52',
    alertName: long,
    subject: long,
    description: long,
    remediation: long,
    violations: 10_000,
    entities: many,
    newEntities: many,
  },
} satisfies Record<string, AlertMessage>;
