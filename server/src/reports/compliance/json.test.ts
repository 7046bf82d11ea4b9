import { expect, test } from 'vitest';
import { jsonReport } from './json.ts';
import { sampleReport } from './report.sample.ts';

const upper = { ACCOUNT_ID: '123456789012', ACCOUNT_ALIAS: 'amberwood-production' };

test('a report has the members that clients decode', () => {
  const report = sampleReport({ findings: 8, sections: 1 });
  const { recommendations, ...rest } = jsonReport(report);
  expect(rest).toEqual({
    reportType: 'CIS Amazon Web Services Foundations Benchmark v1.4.0',
    reportTitle: 'CIS Amazon Web Services Foundations Benchmark v1.4.0',
    reportTime: '2026-11-16T09:30:00.000Z',
    accountId: '123456789012',
    accountAlias: 'amberwood-production',
    summary: [
      {
        NUM_RECOMMENDATIONS: 5,
        NUM_COMPLIANT: 2,
        NUM_NOT_COMPLIANT: 2,
        NUM_SUPPRESSED: 0,
        NUM_SEVERITY_1_NON_COMPLIANCE: 1,
        NUM_SEVERITY_2_NON_COMPLIANCE: 0,
        NUM_SEVERITY_3_NON_COMPLIANCE: 1,
        NUM_SEVERITY_4_NON_COMPLIANCE: 0,
        NUM_SEVERITY_5_NON_COMPLIANCE: 0,
        ASSESSED_RESOURCE_COUNT: 42,
        VIOLATED_RESOURCE_COUNT: 8,
        SUPPRESSED_RESOURCE_COUNT: 2,
      },
    ],
  });
  expect(recommendations[1]).toEqual({
    ...{ REC_ID: 'lacework-global-1001', TITLE: 'Security group opens SSH to the internet' },
    ...{ CATEGORY: '1 Identity and access', SERVICE: 'aws:ec2', STATUS: 'Compliant', SEVERITY: 2 },
    ...{ START_TIME: report.evaluatedAt, INFO_LINK: '' },
    ...{ ASSESSED_RESOURCE_COUNT: 12, RESOURCE_COUNT: 12, VIOLATIONS: [], SUPPRESSIONS: [] },
    ...upper,
  });
  expect(recommendations[0]?.VIOLATIONS).toHaveLength(4);
  expect(recommendations[0]?.VIOLATIONS[0]).toEqual({
    resource: 'arn:aws:s3:eu-west-1:123456789012:s3/amberwood-0-0',
    region: 'eu-west-1',
    reasons: ['S3 bucket allows public access: seen in its current configuration.'],
  });
  expect(recommendations[0]?.SUPPRESSIONS).toEqual(['arn:aws:s3:eu-west-1:123456789012:s3/amberwood-0-500']);
});

test('a resource without a region has no member for it', () => {
  const { recommendations } = jsonReport(sampleReport({ findings: 18, sections: 1 }));
  expect(recommendations[0]?.VIOLATIONS[8]).not.toHaveProperty('region');
});

test('a recommendation is in each category once: sections of benchmarks, controls of standards', () => {
  const report = sampleReport();
  const categories = (kind: 'benchmark' | 'standard') =>
    jsonReport(report, { kind })
      .recommendations.filter(({ REC_ID }) => REC_ID === 'lacework-global-1000')
      .map(({ CATEGORY }) => CATEGORY);
  expect(categories('benchmark')).toEqual([
    ...['1 Identity and access', '2 Storage', '3 Logging', '4 Monitoring', '5 Networking'],
  ]);
  expect(categories('standard')).toEqual([
    ...['1.1 Identity and access', '2.2 Storage', '3.2 Logging', '4.2 Monitoring', '5.2 Networking'],
  ]);
  const twice = { ...report, sections: [...report.sections, ...report.sections] };
  expect(jsonReport(twice).recommendations).toHaveLength(jsonReport(report).recommendations.length);
});

test.each([
  [
    'Azure',
    {
      tenantId: '0C4A1B77-3F0E-4E0B-8F6E-2B1C6D0B1A55',
      tenantName: 'Amberwood',
      subscriptionId: '7B6DF8A4-0F5B-4B7A-9C33-6F6D6E9A1F10',
      subscriptionName: 'Production',
    },
    ['TENANT_ID', 'TENANT_NAME', 'SUBSCRIPTION_ID', 'SUBSCRIPTION_NAME'],
  ],
  [
    'GCP',
    {
      organizationId: '998877665544',
      organizationName: 'amberwood.example',
      projectId: 'amberwood-shop',
      projectName: 'Amberwood shop',
    },
    ['ORGANIZATION_ID', 'ORGANIZATION_NAME', 'PROJECT_ID', 'PROJECT_NAME'],
  ],
] as const)('a report of %s names its subject', (cloud, members, names) => {
  const report = jsonReport(sampleReport({ cloud }));
  expect(report).toMatchObject(members);
  for (const name of names) expect(report.recommendations[0]).toHaveProperty(name);
  expect(report.recommendations[0]).not.toHaveProperty('ACCOUNT_ID');
});

test('an unknown organization of Google Cloud is n/a', () => {
  const report = sampleReport({ cloud: 'GCP' });
  const { cloud, id, name } = report.subject;
  expect(jsonReport({ ...report, subject: { cloud, id, name } })).toMatchObject({
    organizationId: 'n/a',
    organizationName: 'n/a',
  });
});
