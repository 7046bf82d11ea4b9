import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { IntegrationData } from '../../../integrations/declaration.ts';
import { Mail } from '../../../outbound/mail/mail.ts';
import { YamlFile } from '../../../platform/yaml-file.ts';
import { sampleMessages } from '../../../testing/alert-message.ts';
import { ManualClock } from '../../../testing/clock.ts';
import { outboundTo } from '../../../testing/outbound.ts';
import { Receiver } from '../../../testing/receiver.ts';
import { SmtpReceiver } from '../../../testing/smtp-receiver.ts';
import { transportsWith } from '../../../testing/transports.ts';
import alertEmail from './message.ts';
import channel from './send.ts';

interface SmtpFixture {
  readonly cases: readonly {
    readonly name: string;
    readonly data: IntegrationData;
    readonly to: readonly string[];
    readonly headers: Readonly<Record<string, string>>;
  }[];
  readonly refusals: readonly {
    readonly name: string;
    readonly message?: 'test';
    readonly replies: Readonly<Record<string, string>>;
    readonly problem: string;
    readonly isFinal: boolean;
  }[];
}

const sources = new URL('../../../../src/delivery/channels/EmailUser/', import.meta.url);
const file = fileURLToPath(new URL('smtp.yaml', sources));
const { cases, refusals } = new YamlFile(file, readFileSync(file, 'utf8')).value as SmtpFixture;
const [{ data }] = cases as [SmtpFixture['cases'][number]];

let [smtp, http]: [SmtpReceiver, Receiver] = [] as never;
beforeAll(async () => {
  [smtp, http] = [await SmtpReceiver.start(), await Receiver.start()];
});
beforeEach(() => {
  smtp.emails.length = 0;
  smtp.behaviour = {};
});
afterAll(async () => {
  await smtp.close();
  await http.close();
});

function send(sent: IntegrationData, message: keyof typeof sampleMessages = 'opened', hasMail = true) {
  const [clock, outbound] = [new ManualClock(), outboundTo(http, [])];
  const server = new URL(`smtp://127.0.0.1:${smtp.port}`);
  const mail = hasMail ? new Mail({ server, from: 'vedette@mail.example.com', clock }) : undefined;
  const transports = transportsWith(outbound, clock, mail);
  return channel.send({
    ...{ data: sent, message: sampleMessages[message], outbound, transports, clock },
    earlier: undefined,
  });
}

describe('EmailUser', () => {
  test.each(cases)('sends $name', async ({ data, to, headers }) => {
    await send(data);
    expect(smtp.emails).toHaveLength(1);
    expect(smtp.emails[0]?.to).toEqual(to);
    const head = smtp.emails[0]?.content
      .split('\r\n\r\n')[0]
      ?.replace(/\r\n\s+/g, ' ')
      .split('\r\n');
    for (const [name, value] of Object.entries(headers)) expect(head).toContain(`${name}: ${value}`);
  });

  test.each(refusals)('treats $name as a rejection', async ({ message, replies, problem, isFinal }) => {
    smtp.behaviour = { replies };
    const sent = send(data, message);
    await expect(sent).rejects.toThrow(problem);
    await expect(sent).rejects.toMatchObject({ isFinal });
  });

  test('reports a rejected recipient of two, without sending the alert again', async () => {
    smtp.behaviour = { replies: { 'RCPT TO:<second': '550 5.1.1 nobody there' } };
    expect(await send(data)).toEqual({
      ...{ id: '', link: '', remark: 'The mail server refused these recipients: second@example.com.' },
    });
    expect(smtp.emails).toMatchObject([{ to: ['first@example.com'] }]);
  });

  test('names the setting if there is no mail server', async () => {
    await expect(send(data, 'test', false)).rejects.toMatchObject({
      message: expect.stringMatching(/VEDETTE_SMTP_URL and VEDETTE_MAIL_FROM/),
      isFinal: true,
    });
  });

  test.each([
    'nobody',
    'a@b@c',
    'a@b.example,c@d.example',
    'A <a@b.example>',
    'a@b.example\r\nRCPT TO:<x@y.example>',
  ])('does not send to %j', async (recipient) => {
    const sent = send({ channelProps: { recipients: ['first@example.com', recipient] } });
    await expect(sent).rejects.toMatchObject({ message: expect.stringContaining(recipient), isFinal: true });
    expect(smtp.emails).toEqual([]);
  });

  test('matches its golden message and stays within limits', async () => {
    const { storm, updatedStorm, ...samples } = sampleMessages;
    for (const long of [storm, updatedStorm])
      expect(JSON.stringify(alertEmail(long)).length).toBeLessThan(30_000);
    const emails = Object.entries(samples).map(([sample, message]) => [sample, alertEmail(message)]);
    const golden = fileURLToPath(new URL('message.golden.json', sources));
    await expect(`${JSON.stringify(Object.fromEntries(emails), undefined, 2)}\n`).toMatchFileSnapshot(golden);
  });
});
