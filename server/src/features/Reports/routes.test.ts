import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readCsv } from '../../reports/compliance/csv.sample.ts';
import { ReadPdf } from '../../reports/compliance/pdf.sample.ts';
import { awsAccount, collectedAccount, evaluated, passwordPolicy } from '../../testing/posture.ts';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  await service.accounts.create('other');
  token = await service.token();
  await collectedAccount(service);
  await evaluated(service, token, 'NonCompliant');
});
afterAll(() => service.stop());

const get = (query: string, account = 'local') =>
  service.request('GET', `/api/v2/Reports?${query}`, { token, headers: { 'Account-Name': account } });
const cis = `reportType=AWS_CIS_14&primaryQueryId=${awsAccount}`;
const bytesOf = async (query: string) => {
  const response = await fetch(`${service.url}/api/v2/Reports?${query}`, {
    headers: { authorization: `Bearer ${token}`, 'Account-Name': 'local' },
  });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
};
interface Shown {
  readonly REC_ID: string;
  readonly STATUS: string;
  readonly SEVERITY: number;
}

test('failing report threads are reported as degraded service until a report is written', async () => {
  const fail = (worker: Worker) => worker.emit('error', new Error('The thread failed.'));
  process.on('worker', fail);
  const failed = await get(`${cis}&format=csv`);
  process.off('worker', fail);
  expect(failed.status).toBe(500);
  const readiness = async () => (await service.request('GET', '/readyz')).body;
  await expect.poll(readiness).toEqual({ status: 'degraded', reasons: ['The report threads fail.'] });
  expect((await get(`${cis}&format=csv`)).status).toBe(200);
  await expect.poll(readiness).toEqual({ status: 'ok' });
});

describe('a report', () => {
  test('as JSON has the members that clients decode', async () => {
    const { status, body } = await get(`${cis}&format=json&latest=true`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ok: true, message: 'SUCCESS' });
    const [report] = body.data;
    expect(report).toMatchObject({
      ...{ reportType: 'CIS Amazon Web Services Foundations Benchmark v1.4.0' },
      ...{ reportTitle: 'CIS Amazon Web Services Foundations Benchmark v1.4.0' },
      ...{ reportTime: expect.stringMatching(/Z$/), accountId: awsAccount, accountAlias: 'shop' },
    });
    const of = (id: string) => report.recommendations.find((one: Shown) => one.REC_ID === id);
    expect(of(passwordPolicy)).toEqual({
      ...{ REC_ID: passwordPolicy, TITLE: 'IAM password policy allows short passwords' },
      ...{ CATEGORY: '1 Identity and access', SERVICE: 'aws:iam', STATUS: 'NonCompliant', SEVERITY: 3 },
      ...{
        START_TIME: Date.parse(report.reportTime),
        INFO_LINK: expect.stringContaining('https://docs.aws'),
      },
      ...{ ASSESSED_RESOURCE_COUNT: 1, RESOURCE_COUNT: 1, SUPPRESSIONS: [] },
      VIOLATIONS: [
        { resource: awsAccount, region: 'aws-global', reasons: ['MinimumPasswordLengthTooShort'] },
      ],
      ...{ ACCOUNT_ID: awsAccount, ACCOUNT_ALIAS: 'shop' },
    });
    expect(of('lacework-global-34')).toMatchObject({ STATUS: 'Compliant', VIOLATIONS: [] });
    expect(of('lacework-global-46')).toMatchObject({ STATUS: 'CouldNotAssess', VIOLATIONS: [] });
    expect(of('lacework-global-31')).toMatchObject({ STATUS: 'RequiresManualAssessment' });
    const distinct = [
      ...new Map(report.recommendations.map((one: Shown) => [one.REC_ID, one])).values(),
    ] as Shown[];
    const violated = distinct.filter(({ STATUS }) => STATUS === 'NonCompliant');
    expect(report.summary).toMatchObject([
      {
        ...{ NUM_RECOMMENDATIONS: distinct.length, NUM_NOT_COMPLIANT: violated.length },
        NUM_SEVERITY_3_NON_COMPLIANCE: violated.filter(({ SEVERITY }) => SEVERITY === 3).length,
      },
    ]);
  });

  test('is the same by its name, and the same bytes for the same evaluation', async () => {
    const name = encodeURIComponent('CIS Amazon Web Services Foundations Benchmark v1.4.0');
    const byName = `reportName=${name}&primaryQueryId=${awsAccount}&secondaryQueryId=&format=json`;
    const content = async () => (await get(`${cis}&format=json`)).text;
    const pairs: [Buffer, Buffer][] = [];
    // Policies are evaluated batch by batch: until all are, a report may change between two requests.
    await vi.waitUntil(
      async () => {
        pairs.length = 0;
        const before = await content();
        for (const format of ['pdf', 'csv', 'html']) {
          const first = await bytesOf(`${cis}&format=${format}`);
          service.clock.advance(5_000);
          pairs.push([first.bytes, (await bytesOf(`${cis}&format=${format}`)).bytes]);
        }
        pairs.push([Buffer.from(before), (await bytesOf(byName)).bytes]);
        return before === (await content());
      },
      { timeout: 100_000, interval: 1_000 },
    );
    expect(pairs.map(([first, second]) => first.equals(second))).toEqual([true, true, true, true]);
  });

  test('is a PDF by default, and CSV and HTML have the same finding', async () => {
    const pdf = await bytesOf(cis);
    expect(pdf.response.headers.get('content-type')).toBe('application/pdf');
    expect(pdf.response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="AWS_CIS_14-123456789012-\d{4}-\d\d-\d\d\.pdf"$/,
    );
    expect(pdf.response.headers.get('content-length')).toBe(`${pdf.bytes.length}`);
    const read = await ReadPdf.open(pdf.bytes);
    expect((await read.text()).join(' ')).toContain('IAM password policy allows short passwords');
    const csv = await get(`${cis}&format=csv`);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(readCsv(csv.text).find((row) => row.REC_ID === passwordPolicy)).toMatchObject({
      ...{ FINDING: 'Violation', RESOURCE: awsAccount, REASON: 'MinimumPasswordLengthTooShort' },
    });
    const html = await get(`${cis}&format=html`);
    expect(html.text).toMatch(/^<!DOCTYPE html>/);
    expect(html.text).toContain('AccessDenied: iam:ListPolicies');
    // Deleted when the last byte was sent, which may be after it was received.
    await expect.poll(() => readdirSync(join(service.place.directory, 'reports'))).toEqual([]);
  });

  test('lists only the severities and statuses that are asked for, and counts all', async () => {
    const whole = (await get(`${cis}&format=json`)).body.data[0];
    const part = (await get(`${cis}&format=json&status=non-compliant,Compliant&severity=critical,Medium`))
      .body.data[0];
    expect(part.recommendations.map(({ STATUS }: Shown) => STATUS)).toContain('NonCompliant');
    expect(part.recommendations).toEqual(
      whole.recommendations.filter(
        ({ STATUS, SEVERITY }: Shown) =>
          ['NonCompliant', 'Compliant'].includes(STATUS) && [1, 3].includes(SEVERITY),
      ),
    );
    expect(part.summary).toEqual(whole.summary);
  });

  test('of a suppressed finding names the exception, and a disabled policy is suppressed', async () => {
    await service.accounts.create('excused');
    await collectedAccount(service, 'excused');
    await evaluated(service, token, 'NonCompliant', 'excused');
    const headers = { 'Account-Name': 'excused' };
    const created = await service.request('POST', `/api/v2/Exceptions?policyId=${passwordPolicy}`, {
      ...{ token, headers },
      body: {
        description: 'Single sign-on only',
        constraints: [{ fieldKey: 'accountIds', fieldValues: [awsAccount] }],
      },
    });
    expect(created.status).toBe(201);
    await service.request('PATCH', '/api/v2/Policies/lacework-global-34', {
      ...{ token, headers },
      body: { enabled: false },
    });
    await evaluated(service, token, 'Suppressed', 'excused');
    const { body } = await get(`${cis}&format=json`, 'excused');
    const of = (id: string) => body.data[0].recommendations.find((one: Shown) => one.REC_ID === id);
    expect(of(passwordPolicy)).toMatchObject({
      ...{ STATUS: 'Suppressed', VIOLATIONS: [], SUPPRESSIONS: [awsAccount], ASSESSED_RESOURCE_COUNT: 0 },
    });
    expect(of('lacework-global-34')).toMatchObject({ STATUS: 'Suppressed', SUPPRESSIONS: [] });
    expect(body.data[0].summary[0]).toMatchObject({ NUM_SUPPRESSED: 2, SUPPRESSED_RESOURCE_COUNT: 1 });
    const html = await get(`${cis}&format=html`, 'excused');
    expect(html.text).toContain('Single sign-on only');
    expect(html.text).toContain(created.body.data.lastUpdateUser);
  });

  test('of an unknown account is an empty list, or not found', async () => {
    const unknown = 'reportType=AWS_CIS_14&primaryQueryId=000000000000';
    expect((await get(`${unknown}&format=json`)).body).toEqual({ data: [], ok: true, message: 'SUCCESS' });
    expect((await get(`${cis}&format=json`, 'other')).body.data).toEqual([]);
    const { status, body } = await get(`${unknown}&format=csv`);
    expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
    expect(body.message).toContain('Nothing is stored about 000000000000');
  });

  test.each([
    [`primaryQueryId=1`, 'reportType is required: add it to the query'],
    [
      `reportType=AWS_CIS_15&primaryQueryId=1`,
      "reportType 'AWS_CIS_15' does not exist. Did you mean AWS_CIS_14",
    ],
    [`reportType=AWS_CIS_14`, 'primaryQueryId is required: add the id of the AWS account'],
    [
      `reportType=AZURE_CIS_1_5&primaryQueryId=t`,
      'secondaryQueryId is required: add the id of the Azure subscription',
    ],
    [`${cis}&format=docx`, 'format must be one of json, pdf, csv, html'],
    [`${cis}&severity=grave`, 'severity must be a list of critical, high, medium, low, info'],
    [`${cis}&status=open`, 'status must be a list of NonCompliant'],
  ])('refuses %s', async (query, message) => {
    const { status, body } = await get(query);
    expect(status).toBe(400);
    expect(body.message).toContain(message);
  });
});
