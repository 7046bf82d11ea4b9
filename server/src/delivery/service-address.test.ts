import { describe, expect, test } from 'vitest';
import { serviceAddress } from './service-address.ts';

const given = { member: 'host', scheme: 'https', port: 0, standardPort: 8_088, path: '/in' } as const;

describe('the URL of a service', () => {
  test.each([
    ['logs.example.com', 0, 'https://logs.example.com:8088/in'],
    ['logs.example.com', 443, 'https://logs.example.com/in'],
    ['logs.example.com:443', 0, 'https://logs.example.com/in'],
    ['logs.example.com:9000', 0, 'https://logs.example.com:9000/in'],
    ['logs.example.com:9000', 8_000, 'https://logs.example.com:8000/in'],
    ['HTTP://logs.example.com/', 0, 'https://logs.example.com:8088/in'],
    [' https://logs.example.com/a/b/ ', 0, 'https://logs.example.com:8088/a/b/in'],
    ['[2001:db8::1]', 0, 'https://[2001:db8::1]:8088/in'],
    ['[2001:db8::1]:9000', 0, 'https://[2001:db8::1]:9000/in'],
  ])('of %j and %i is %s', (host, port, address) => {
    expect(serviceAddress({ ...given, host, port })).toBe(address);
  });

  test.each(['', 'two words', 'https://', 'a:b'])(
    'of %j is a permanent error that names the member',
    (host) => {
      expect(() => serviceAddress({ ...given, host })).toThrow(
        expect.objectContaining({
          isFinal: true,
          message: expect.stringContaining('data.host must be a host name or address'),
        }),
      );
    },
  );
});
