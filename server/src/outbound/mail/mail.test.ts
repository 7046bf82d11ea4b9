import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../testing/clock.ts';
import { type SmtpBehaviour, SmtpReceiver } from '../../testing/smtp-receiver.ts';
import { type Email, Mail } from './mail.ts';

let receiver: SmtpReceiver;
beforeAll(async () => {
  receiver = await SmtpReceiver.start();
});
beforeEach(() => {
  receiver.emails.length = 0;
  receiver.behaviour = {};
});
afterAll(() => receiver.close());

const email: Email = {
  id: '018f1c2d',
  to: ['first@example.com', 'second@example.com'],
  subject: 'Grüße\r\nBcc: third@example.com',
  text: 'A line.\n.\nAnother — line.',
  html: '<p>Läuft</p>',
};

function send(behaviour: SmtpBehaviour = {}, { login = '', trusts = true, given = email } = {}) {
  receiver.behaviour = behaviour;
  const mail = new Mail({
    server: new URL(`smtp://${login}127.0.0.1:${receiver.port}`),
    from: 'Vedette <vedette@mail.example.com>',
    clock: new ManualClock(),
    ...(trusts && { authority: receiver.authority }),
  });
  return mail.send(given);
}

describe('mail', () => {
  test('has a text and an HTML part, and the same message id on retries', async () => {
    expect(await send()).toEqual([]);
    const [{ content = '', ...envelope } = {}] = receiver.emails;
    expect(envelope).toEqual({
      from: 'vedette@mail.example.com',
      to: email.to,
      user: undefined,
      isSecure: false,
    });
    const head = content.slice(0, content.indexOf('\r\n\r\n'));
    expect(head).toMatch(/^From: Vedette <vedette@mail\.example\.com>$/m);
    expect(head).toMatch(/^To: first@example\.com, second@example\.com$/m);
    expect(head).toMatch(/^Message-ID: <018f1c2d@mail\.example\.com>$/m);
    expect(head).toMatch(/^Date: Sun, 01 Mar 2026 12:00:00 \+0000$/m);
    expect(head).toMatch(/^Auto-Submitted: auto-generated$/m);
    expect(head).toMatch(/^Content-Type: multipart\/alternative/m);
    expect(head).not.toMatch(/^Bcc:/m);
    expect(content).toMatch(
      /Content-Type: text\/plain; charset=utf-8[\s\S]*A line\.\r\n\.\r\nAnother =E2=80=94 line\./,
    );
    expect(content).toMatch(/Content-Type: text\/html; charset=utf-8[\s\S]*<p>L=C3=A4uft<\/p>/);
  });

  test('uses TLS if the server offers it, and signs in', async () => {
    const login = { login: 'relay:p%40ss%3Aword@' };
    await send({ offersTls: true, account: 'relay:p@ss:word' }, login);
    expect(receiver.emails).toMatchObject([{ user: 'relay', isSecure: true }]);
    await send({ offersTls: true });
    expect(receiver.emails[1]).toMatchObject({ user: undefined, isSecure: true });
  });

  test('sends the password only over TLS and only to the trusted server', async () => {
    const account = 'relay:canary';
    const login = { login: 'relay:canary@' };
    await expect(send({ account }, login)).rejects.toMatchObject({
      message: expect.not.stringContaining('canary'),
      isFinal: false,
    });
    const stranger = send({ account, offersTls: true }, { ...login, trusts: false });
    await expect(stranger).rejects.toMatchObject({
      message: expect.stringMatching(
        /^The mail server 127\.0\.0\.1 could not be reached \((?:UNABLE_TO_VERIFY|SELF_SIGNED_CERT)\w*\)\.$/,
      ),
      isFinal: false,
    });
    expect(receiver.emails).toEqual([]);
  });

  test.each<[string, SmtpBehaviour, string, boolean]>([
    ['a wrong password', { offersTls: true, account: 'relay:other' }, '535 5.7.8 wrong password', false],
    ['a rejected sender', { replies: { MAIL: '550 5.7.1 not you' } }, '550 5.7.1 not you', true],
    [
      'only rejected recipients',
      { replies: { RCPT: '550 5.1.1 nobody there' } },
      '550 5.1.1 nobody there',
      true,
    ],
    [
      'temporarily rejected recipients',
      { replies: { RCPT: '450 4.2.1 try later' } },
      '450 4.2.1 try later',
      false,
    ],
    [
      'rejected content',
      { replies: { 'end of data': '554 5.7.1 looks like spam' } },
      '554 5.7.1 looks like spam',
      true,
    ],
    ['a closing server', { replies: { MAIL: '421 4.3.2 closing' } }, '421 4.3.2 closing', false],
  ])('with %s fails with the reply of the server', async (_, behaviour, reason, isFinal) => {
    const login = behaviour.account === undefined ? '' : 'relay:canary@';
    await expect(send(behaviour, { login })).rejects.toMatchObject({
      message: expect.stringContaining(`The mail server 127.0.0.1 answered ${reason}`),
      isFinal,
    });
  });

  test('reaches the other recipients if some are rejected', async () => {
    const replies = { 'RCPT TO:<second': '550 5.1.1 nobody there' };
    expect(await send({ replies })).toEqual(['second@example.com']);
    expect(receiver.emails).toMatchObject([{ to: ['first@example.com'] }]);
  });

  test('for an unreachable server fails temporarily', async () => {
    const mail = new Mail({
      server: new URL('smtp://127.0.0.1:1'),
      from: 'a@b.example',
      clock: new ManualClock(),
    });
    await expect(mail.send(email)).rejects.toMatchObject({
      message: 'The mail server 127.0.0.1 could not be reached (ECONNREFUSED).',
      isFinal: false,
    });
  });
});
