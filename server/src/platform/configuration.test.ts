import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ConfigurationError, readConfiguration, variables } from './configuration.ts';

describe('the configuration', () => {
  test('has a default for every variable', () => {
    const { configuration, warnings } = readConfiguration({});
    expect(configuration).toMatchObject({
      VEDETTE_HOST: '127.0.0.1',
      VEDETTE_PORT: 8480,
      VEDETTE_ACCOUNT: 'local',
      VEDETTE_RATE_LIMIT: 480,
      VEDETTE_RETENTION_DAYS: 90,
      VEDETTE_SECRET_KEY: undefined,
    });
    expect(warnings).toEqual([]);
  });

  test('reports all problems at once and names each variable', () => {
    const broken = {
      VEDETTE_PORT: '80a',
      VEDETTE_ACCOUNT: 'Big Corp',
      VEDETTE_RATE_LIMIT: '-1',
      VEDETTE_TRUSTED_PROXIES: 'proxy.example',
      VEDETTE_TLS: 'yes',
      VEDETTE_TLS_CERT: '/etc/cert.pem',
      VEDETTE_CONTROL_URL: 'mysql://x',
      VEDETTE_PUBLIC_URL: 'vedette.example.com',
      VEDETTE_DISK_CAP: '20',
      VEDETTE_ANNOUNCEMENT_WINDOW: '43201',
      VEDETTE_SMTP_URL: 'http://mail.example.com',
      VEDETTE_MAIL_FROM: 'vedette',
    };
    const read = () => readConfiguration(broken);
    expect(read).toThrow(ConfigurationError);
    for (const name of Object.keys(broken)) expect(read).toThrow(name);
  });

  test('does not repeat a secret in an error message', () => {
    const secrets = { VEDETTE_SECRET_KEY: 'too-short-canary', VEDETTE_SMTP_URL: 'imap://me:canary@mail' };
    for (const [name, value] of Object.entries(secrets)) {
      const message = expect.not.stringContaining('canary');
      expect(() => readConfiguration({ [name]: value })).toThrow(expect.objectContaining({ message }));
    }
  });

  test('requires a sender with a mail server', () => {
    const VEDETTE_SMTP_URL = 'smtps://me:secret@mail.example.com';
    expect(() => readConfiguration({ VEDETTE_SMTP_URL })).toThrow('VEDETTE_MAIL_FROM must be set too');
    for (const VEDETTE_MAIL_FROM of ['a@b.example', 'Vedette <a@b.example>']) {
      const { configuration } = readConfiguration({ VEDETTE_SMTP_URL, VEDETTE_MAIL_FROM });
      expect(configuration).toMatchObject({ VEDETTE_MAIL_FROM });
      expect(configuration.VEDETTE_SMTP_URL?.hostname).toBe('mail.example.com');
    }
    for (const VEDETTE_MAIL_FROM of ['a@b, c@d', 'a@b\r\nBcc: c@d', '<a@b> c', '@'])
      expect(() => readConfiguration({ VEDETTE_MAIL_FROM })).toThrow('VEDETTE_MAIL_FROM must be one address');
  });

  test('reports an unknown variable as a warning', () => {
    const { warnings } = readConfiguration({ VEDETTE_PROT: '1', OTHER: 'x' });
    expect(warnings).toEqual(['VEDETTE_PROT is not a variable of Vedette and has no effect.']);
  });

  test('parses URLs, sizes, lists and other structured values', () => {
    const { configuration } = readConfiguration({
      VEDETTE_RATE_LIMIT: 'off',
      VEDETTE_TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.1',
      VEDETTE_SECRET_KEY: `${'a'.repeat(32)},${'b'.repeat(32)}`,
      VEDETTE_DISK_CAP: '20GB',
    });
    expect(configuration.VEDETTE_RATE_LIMIT).toBe('off');
    expect(configuration.VEDETTE_TRUSTED_PROXIES).toEqual(['10.0.0.0/8', '127.0.0.1']);
    expect(configuration.VEDETTE_SECRET_KEY).toHaveLength(2);
    expect(configuration.VEDETTE_DISK_CAP).toBe(20_000_000_000);
    expect(readConfiguration({ VEDETTE_DISK_CAP: '500MB' }).configuration.VEDETTE_DISK_CAP).toBe(500_000_000);
  });

  test('reads a boolean in each of its spellings, in any letter case', () => {
    const read = (spelling: string) => {
      const environment = { VEDETTE_ALLOW_PRIVATE_TARGETS: spelling, VEDETTE_START_EMPTY: spelling };
      const { configuration } = readConfiguration(environment);
      return [configuration.VEDETTE_ALLOW_PRIVATE_TARGETS, configuration.VEDETTE_START_EMPTY];
    };
    for (const spelling of ['1', 'true', 'on', 'yes', 'TRUE', 'Yes'])
      expect(read(spelling), spelling).toEqual([true, true]);
    for (const spelling of ['0', 'false', 'off', 'no', 'False', 'OFF'])
      expect(read(spelling), spelling).toEqual([false, false]);
    expect(() => read('maybe')).toThrow(
      "VEDETTE_ALLOW_PRIVATE_TARGETS must be true or false (or 1, 0, on, off, yes, no), not 'maybe'.",
    );
    expect(() => read('')).toThrow('VEDETTE_START_EMPTY must be true or false');
  });

  test('is described in docs/configuration.md; `npx vitest run configuration -u` regenerates it', async () => {
    const rows = Object.entries(variables).map(([name, { defaultValue, description }]) => {
      return `| \`${name}\` | ${defaultValue ? `\`${defaultValue}\`` : ''} | ${description} |`;
    });
    const page = [
      '# Configuration',
      '',
      introduction,
      '',
      '| variable | default | meaning |',
      '|---|---|---|',
      ...rows,
      '',
    ];
    const file = fileURLToPath(new URL('../../../docs/configuration.md', import.meta.url));
    await expect(page.join('\n')).toMatchFileSnapshot(file);
  });
});

const introduction =
  'All settings are environment variables; all are optional. The service reports all invalid values at once when it starts; an unknown `VEDETTE_` variable causes a warning. A boolean is `true` or `false`, or `1`/`0`, `on`/`off`, `yes`/`no`, in any letter case. This page is generated from the declarations in `server/src/platform/configuration.ts`.';
