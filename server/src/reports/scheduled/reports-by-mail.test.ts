import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { awsAccount, collectedAccount, evaluated } from '../../testing/posture.ts';
import { TestService } from '../../testing/service.ts';
import { SmtpReceiver } from '../../testing/smtp-receiver.ts';

const day = 86_400_000;
let smtp: SmtpReceiver;
let service: TestService;
let channel: string;
beforeAll(async () => {
  smtp = await SmtpReceiver.start();
  service = await TestService.start({
    VEDETTE_RATE_LIMIT: 'off',
    VEDETTE_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    VEDETTE_MAIL_FROM: 'vedette@example.com',
  });
  await collectedAccount(service);
  await evaluated(service, await service.token(), 'NonCompliant');
  channel = await newChannel('team', 'team@example.com');
});
afterAll(async () => {
  await service.stop();
  await smtp.close();
});

const post = async (path: string, body: object) =>
  (await service.request('POST', `/api/v2/${path}`, { token: await service.token(), body })).body.data;

async function newChannel(name: string, recipient: string): Promise<string> {
  const data = { channelProps: { recipients: [recipient] } };
  return (await post('AlertChannels', { name, type: 'EmailUser', enabled: 1, data })).intgGuid;
}

const rule = (name: string, types: Record<string, boolean>, channels: string[], filters: object = {}) =>
  post('ReportRules', {
    ...{ type: 'Report', intgGuidList: channels, reportNotificationTypes: types },
    filters: { name, enabled: 1, severity: [1, 2, 3, 4, 5], ...filters },
  });

/** E-mails that have arrived at a recipient, by subject, once there are so many. */
async function received(recipient: string, count: number): Promise<Map<string, string>> {
  const own = () => smtp.emails.filter(({ to }) => to.includes(recipient));
  await vi.waitUntil(() => own().length >= count, { timeout: 100_000, interval: 100 });
  return new Map(own().map(({ content }) => [subjectOf(content), content]));
}

function subjectOf(content: string): string {
  const unfolded = content.replaceAll(/\r\n\s+/g, ' ');
  return /^Subject: (.*)$/m.exec(unfolded)?.[1]?.trim() ?? '';
}

/** The next day at the hour at which reports are sent. */
function tomorrow(days = 1): void {
  const now = service.clock.now();
  service.clock.advance(now - (now % day) + days * day + 6 * 3_600_000 - now);
}

const yesterday = () => new Date(service.clock.now() - day).toISOString().slice(0, 10);

describe('report rules', () => {
  test('send a compliance report, a digest of alerts and an empty one, once each', async () => {
    const types = { awsCis14: true, awsComplianceEvents: true, platformEvents: true, hipaa: false };
    const created = await rule('daily', { ...types, openShiftCompliance: true }, [channel]);
    expect(created.unsupportedTypes).toEqual(['openShiftCompliance']);
    await rule('again', { awsCis14: true }, [channel]);
    expect(smtp.emails).toEqual([]);
    tomorrow();
    const emails = await received('team@example.com', 3);
    const title = 'CIS Amazon Web Services Foundations Benchmark v1.4.0';
    const report = emails.get(`${title}: AWS account shop (${awsAccount})`);
    expect(report).toContain('Content-Type: application/pdf; name=AWS_CIS_14-123456789012.pdf');
    expect(
      Buffer.from(attachmentOf(report ?? ''), 'base64')
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    expect(decoded(report ?? '')).toMatch(
      /Score \d+ %: \d+ recommendations? compliant, [1-9]\d* non-compliant/,
    );
    const digest = [...emails].find(([subject]) => subject.startsWith('Alerts about AWS compliance'));
    expect(digest?.[0]).toMatch(/^Alerts about AWS compliance on [\d-]+: [1-9] alerts?$/);
    expect(decoded(digest?.[1] ?? '')).toContain('Severity | Alert | Raised');
    expect(emails.get(`Alerts about the platform on ${yesterday()}: none`)).toContain(
      `No alerts on ${yesterday()} in local.`,
    );
    service.clock.advance(3_600_000);
    await service.restart();
    tomorrow();
    // Of the second day: three more, and nothing of the first day again.
    expect((await received('team@example.com', 6)).size).toBeGreaterThan(3);
    const deliveries = await service.store.read.selectFrom('deliveries').selectAll().execute();
    const reports = deliveries.filter(({ occasion }) => occasion.startsWith('report '));
    expect(reports.map(({ occasion }) => occasion).sort()).toEqual(
      [...Array(2)]
        .flatMap(() => [
          `report AWS_CIS_14 ${awsAccount}`,
          `report ${created.mcGuid} awsComplianceEvents`,
          `report ${created.mcGuid} platformEvents`,
        ])
        .sort(),
    );
    await vi.waitUntil(async () => {
      const rows = await service.store.read.selectFrom('deliveries').select('state').execute();
      return rows.every(({ state }) => state === 'delivered');
    });
    expect(smtp.emails).toHaveLength(6);
  }, 240_000);

  test('are sent for the cloud accounts of their resource groups only', async () => {
    const own = await newChannel('groups', 'groups@example.com');
    const group = async (name: string, account: string) => {
      const query = {
        filters: { f: { field: 'Account', operation: 'EQUALS', values: [account] } },
        expression: { operator: 'AND', children: [{ filterName: 'f' }] },
      };
      return (await post('ResourceGroups', { name, resourceType: 'AWS', enabled: 1, query }))
        .resourceGroupGuid;
    };
    const resourceGroups = [await group('shop', awsAccount)];
    await rule('shop', { awsCisS3: true }, [own], { resourceGroups });
    await rule('elsewhere', { pci: true, awsComplianceEvents: true }, [own], {
      resourceGroups: [await group('other', '000000000000')],
    });
    tomorrow();
    const emails = await received('groups@example.com', 2);
    expect([...emails.keys()].sort()).toEqual([
      `AWS CIS Benchmark and S3: AWS account shop (${awsAccount})`,
      `Alerts about AWS compliance on ${yesterday()}: none`,
    ]);
  });

  test('send the trend once a week', async () => {
    const own = await newChannel('trend', 'trend@example.com');
    await rule('weekly', { trendReport: true }, [own]);
    tomorrow(7);
    const [[subject, content] = ['', '']] = [...(await received('trend@example.com', 1))];
    expect(subject).toMatch(/^Weekly trend from \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d$/);
    expect(decoded(content)).toMatch(/Violated policies: AWS shop \| [1-9]\d* \| \d+ \| [+-]?\d+/);
  });
});

describe('report distributions', () => {
  test('send the report of a custom definition', async () => {
    const own = await newChannel('custom', 'custom@example.com');
    const { reportDefinitionGuid } = await post('ReportDefinitions', {
      ...{ reportName: 'Our passwords', reportType: 'COMPLIANCE', subReportType: 'AWS' },
      reportDefinition: {
        sections: [{ category: '1', title: 'Passwords', policies: ['lacework-global-39'] }],
        overrides: [{ policy: 'lacework-global-39', title: 'Passwords are long' }],
      },
    });
    await post('ReportDistributions', {
      ...{ reportDefinitionGuid, distributionName: 'ours', alertChannels: [own], frequency: 'daily' },
      data: { severities: ['Medium'], violations: ['NonCompliant'], resourceGroups: [], integrations: [] },
    });
    tomorrow();
    const emails = await received('custom@example.com', 1);
    expect([...emails.keys()]).toEqual([`Our passwords: AWS account shop (${awsAccount})`]);
    const { body } = await service.request(
      'GET',
      `/api/v2/Reports?reportName=Our%20passwords&primaryQueryId=${awsAccount}&format=json`,
      { token: await service.token() },
    );
    expect(body.data[0].recommendations).toMatchObject([
      { REC_ID: 'lacework-global-39', TITLE: 'Passwords are long', CATEGORY: '1 Passwords' },
    ]);
  });
});

test('many reports that are due at once are sent in the first attempt, and requests for reports are answered', async () => {
  const names = Array.from({ length: 4 }, (_, at) => `many${at}`);
  const channels = await Promise.all(names.map((name) => newChannel(name, `${name}@example.com`)));
  await rule('many', { awsCis14: true, awsCisS3: true, pci: true }, channels);
  tomorrow();
  await received('many0@example.com', 1);
  const path = `/api/v2/Reports?reportType=AWS_CIS_14&primaryQueryId=${awsAccount}&format=json`;
  const token = await service.token();
  const requests = [1, 2].map(() => service.request('GET', path, { token }));
  expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([200, 200]);
  const deliveries = service.store.read.selectFrom('deliveries').where('channel_id', 'in', channels);
  const open = deliveries.select('id').where('state', '=', 'waiting');
  await vi.waitUntil(async () => (await open.execute()).length === 0, { timeout: 100_000, interval: 100 });
  const rows = await deliveries.select(['state', 'attempts', 'problem']).execute();
  expect(rows).toEqual(Array(12).fill({ state: 'delivered', attempts: 1, problem: null }));
}, 240_000);

/** Without the soft line breaks of quoted-printable. */
const decoded = (content: string) => content.replaceAll('=\r\n', '');

function attachmentOf(content: string): string {
  const [, part = ''] = content.split('Content-Type: application/pdf');
  return part.split('\r\n\r\n')[1]?.split('\r\n--')[0] ?? '';
}
