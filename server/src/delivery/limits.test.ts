import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AlertMessage } from '../alerts/alert-message.ts';
import { sampleMessages } from '../testing/alert-message.ts';
import webexMessage from './channels/CiscoSparkWebhook/message.ts';
import datadogBody from './channels/Datadog/message.ts';
import qradarEvent from './channels/IbmQradar/message.ts';
import teamsMessage from './channels/MicrosoftTeams/message.ts';
import newRelicEvents from './channels/NewRelicInsights/message.ts';
import pagerDutyEvent from './channels/PagerDutyApi/message.ts';
import splunkEvent from './channels/SplunkHec/message.ts';
import onCallMessage from './channels/VictorOps/message.ts';

/** Characters that grow most when escaped, in strings of any length. */
const unit = fc.constantFrom('*', '<', '&', '"', '\\', '\u0000', '\n', ' @', 'ü', '😀', '\ud800', 'a');
const anyString = fc
  .tuple(fc.string({ unit, minLength: 1, maxLength: 8 }), fc.constantFrom(0, 1, 5, 40, 700))
  .map(([text, times]) => text.repeat(times));
const entities = fc
  .tuple(fc.constantFrom(0, 1, 4, 60), fc.constantFrom(0, 1, 12, 100), anyString, anyString)
  .map(([kinds, names, kind, name]) =>
    Array.from({ length: kinds }, (_, at) => ({
      kind: `${at}${kind}`,
      names: Array.from({ length: names }, (_, number) => `${number}${name}`),
      total: 10_000,
    })),
  );
const anyMessage: fc.Arbitrary<AlertMessage> = fc
  .record({
    occasion: fc.constantFrom('opened', 'closed', 'test'),
    account: anyString,
    alertName: anyString,
    alertType: anyString,
    subject: anyString,
    description: anyString,
    category: anyString,
    subCategory: anyString,
    source: anyString,
    policyId: anyString,
    entities,
  })
  .map((members) => ({ ...sampleMessages.opened, ...members }));

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

function keeps(check: (message: AlertMessage) => void): void {
  fc.assert(
    fc.property(anyMessage, (message) => void check(message)),
    { numRuns: Number(process.env.VEDETTE_FUZZ ?? 60) },
  );
}

describe('the message for any alert stays within the documented limits of', () => {
  test('Webex', () => {
    keeps((message) => expect(Buffer.byteLength(webexMessage(message).markdown)).toBeLessThanOrEqual(7_439));
  });

  test('Teams', () => {
    keeps((message) => expect(bytes(teamsMessage(message))).toBeLessThanOrEqual(20_000));
  });

  test('QRadar', () => {
    keeps((message) => expect(bytes(qradarEvent(message))).toBeLessThanOrEqual(8_192));
  });

  test('Splunk', () => {
    const data = { hecToken: 'a', host: 'b', port: 1, eventData: { index: 'main', source: 'c' } };
    keeps((message) => expect(bytes(splunkEvent(message, data).event)).toBeLessThanOrEqual(10_000));
  });

  test('New Relic', () => {
    keeps((message) => {
      const [event = {}] = newRelicEvents(message);
      expect(bytes(event)).toBeLessThanOrEqual(1_000_000);
      expect(Object.keys(event).length).toBeLessThanOrEqual(255);
      for (const [name, value] of Object.entries(event)) {
        expect(name.length).toBeLessThanOrEqual(255);
        expect(String(value).length).toBeLessThanOrEqual(4_096);
      }
    });
  });

  test('PagerDuty', () => {
    keeps((message) => {
      const event = pagerDutyEvent(message, { apiIntgKey: 'a' });
      expect(bytes(event)).toBeLessThanOrEqual(512_000);
      expect(event.dedup_key.length).toBeLessThanOrEqual(255);
      const { payload } = event as { payload?: { summary: string } };
      expect(payload?.summary.length ?? 0).toBeLessThanOrEqual(1_024);
    });
  });

  test('Splunk On-Call', () => {
    keeps((message) => {
      const { state_message, entity_id, ...fields } = onCallMessage(message, undefined);
      expect(state_message.length).toBeLessThanOrEqual(20_480);
      expect(entity_id.length).toBeLessThanOrEqual(512);
      for (const value of Object.values(fields)) expect(String(value).length).toBeLessThanOrEqual(1_024);
    });
  });

  test.each(['Logs Detail', 'Logs Summary'] as const)('Datadog for %s', (datadogType) => {
    keeps((message) => {
      const [log] = datadogBody(message, { apiKey: 'a', datadogType }) as [unknown];
      expect(bytes(log)).toBeLessThanOrEqual(25_000);
    });
  });

  test('Datadog for Events Summary', () => {
    keeps((message) => {
      const body = datadogBody(message, { apiKey: 'a', datadogType: 'Events Summary' });
      const { title, text, aggregation_key, tags } = body as Record<string, string> & { tags: string[] };
      expect(title?.length).toBeLessThanOrEqual(100);
      expect(text?.length).toBeLessThanOrEqual(4_000);
      expect(aggregation_key?.length).toBeLessThanOrEqual(100);
      for (const tag of tags) expect(tag).toMatch(/^[\p{L}\p{N}_\-:./]{1,200}$/u);
    });
  });
});

describe('untrusted names', () => {
  const message = {
    ...sampleMessages.opened,
    alertName: '<@all> *loud*\nSeverity: Info',
    subject: '# Big\n[here](https://evil.example.com)',
    entities: [{ kind: 'User', names: ['@all', 'alice@example.com', 'bob\nAccount: other'], total: 3 }],
  };

  test('neither mention users nor format text in Webex', () => {
    const { markdown } = webexMessage(message);
    expect(markdown).toContain('### New alert: &lt;@all> \\*loud\\* Severity: Info\n');
    expect(markdown).toContain('\\# Big\n\\[here\\](https://evil.example.com)');
    expect(markdown).toContain('- User: @all, alice@example.com, bob Account: other\n');
  });

  test('notify no one in Datadog', () => {
    const { text } = datadogBody(message, { apiKey: 'a', datadogType: 'Events Summary' }) as { text: string };
    expect(text).toContain('User: (at)all, alice@example.com, bob Account: other\n');
  });
});
