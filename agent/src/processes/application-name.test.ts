import fc from 'fast-check';
import { expect, test } from 'vitest';
import { absent, read, unreadable } from '../reading.ts';
import { applicationName } from './application-name.ts';

test.each([
  ['/usr/sbin/nginx', ['nginx: worker process'], 'nginx'],
  ['/opt/shop/api (deleted)', ['api'], 'api'],
  ['/usr/bin/python3.11', ['python3', '-u', '/usr/bin/gunicorn', 'shop:app'], 'gunicorn'],
  ['/usr/bin/python3.11', ['python3', '-m', 'http.server', '80'], 'http.server'],
  ['/usr/bin/python3.11', ['python3', '-c', 'import os'], 'python3.11'],
  ['/usr/bin/node', ['node', '--max-old-space-size=100', 'dist/main.js'], 'main.js'],
  ['/usr/bin/node', ['node', '--token', 'abc'], 'node'],
  ['/usr/bin/bash', ['-bash'], 'bash'],
  ['/usr/bin/bash', ['bash', '/opt/backup.sh', 'x'], 'backup.sh'],
  ['/usr/bin/dash', ['sh', '-c', 'run it'], 'dash'],
  ['/usr/bin/java', ['java', '-Xmx1g', '-jar', '/srv/shop.jar'], 'shop.jar'],
  ['/usr/bin/java', ['java', 'Main'], 'java'],
])('%s %j is %s', (path, parameters, name) => {
  expect(applicationName({ program: read(path), name: 'x', parameters: read(parameters) })).toBe(name);
});

test('a program that may not be read has the name that the kernel keeps', () => {
  const denied = unreadable('denied');
  expect(applicationName({ program: denied, name: 'sshd', parameters: denied })).toBe('sshd');
  expect(applicationName({ program: absent, name: 'kthreadd', parameters: read([]) })).toBe('kthreadd');
});

test('names are bounded, whatever the parameters', () => {
  const path = fc.oneof(fc.string(), fc.constantFrom('/usr/bin/node', '/bin/sh', '/usr/bin/java'));
  fc.assert(
    fc.property(path, fc.array(fc.string({ maxLength: 600 })), (program, parameters) => {
      const name = applicationName({ program: read(program), name: 'x', parameters: read(parameters) });
      expect(name.length).toBeLessThanOrEqual(Math.max(255, program.length));
    }),
  );
});
