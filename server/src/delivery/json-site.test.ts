import { describe, expect, test } from 'vitest';
import { GuardedOutbound } from '../outbound/guarded-outbound.ts';
import { sampleMessages } from '../testing/alert-message.ts';
import { ManualClock } from '../testing/clock.ts';
import { transportsWith } from '../testing/transports.ts';
import { JsonSite } from './json-site.ts';

const outbound = new GuardedOutbound({ allowsPrivate: false });
const clock = new ManualClock();

function site(host: string, secret = 'secret') {
  const sending = {
    ...{ message: sampleMessages.opened, earlier: undefined, outbound, clock },
    data: { host, secret },
    transports: transportsWith(outbound, clock),
  };
  return new JsonSite(sending, { to: 'Site', address: 'host', user: 'me', password: 'secret' });
}

describe('the base URL of a site', () => {
  test.each([
    ['company.example.com', 'https://company.example.com'],
    [' HTTPS://Company.example.com/ ', 'https://company.example.com'],
    ['http://10.0.0.1:8080/jira//', 'http://10.0.0.1:8080/jira'],
    ['company.example.com:8443/a/../b', 'https://company.example.com:8443/b'],
  ])('%j is %j', (host, base) => {
    expect(site(host).base).toBe(base);
  });

  test.each(['', 'https://', 'user:password@example.com', 'example.com?x=1', 'example.com#x', 'a b'])(
    'is not %j',
    (host) => {
      expect(() => site(host)).toThrow('data.host must be a host such as company.example.com: correct it.');
    },
  );

  test('needs a password', () => {
    expect(() => site('example.com', '')).toThrow('data.secret is empty: enter it again.');
  });
});
