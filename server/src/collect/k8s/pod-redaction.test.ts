import { describe, expect, test } from 'vitest';
import { describeK8s } from './describe.ts';
import { redactedArgument, redactedPodSpec } from './pod-redaction.ts';

describe('the specification of a pod', () => {
  test.each(['containers', 'initContainers', 'ephemeralContainers'])(
    'has no values of variables in %s',
    (list) => {
      const valueFrom = { secretKeyRef: { name: 'db', key: 'password' } };
      const container = {
        name: 'web',
        env: [{ name: 'LOG_LEVEL', value: 'debug' }, { name: 'EMPTY' }, { name: 'DB', valueFrom }],
        envFrom: [{ secretRef: { name: 'db' } }],
        livenessProbe: {
          httpGet: { path: '/', httpHeaders: [{ name: 'Authorization', value: 'Bearer x' }] },
        },
        lifecycle: { preStop: { exec: { command: ['sh', '-c', 'curl https://a:hunter2@b/'] } } },
      };
      expect(redactedPodSpec({ [list]: [container] })).toEqual({
        [list]: [
          {
            ...container,
            env: [{ name: 'LOG_LEVEL', value: '[redacted]' }, { name: 'EMPTY' }, { name: 'DB', valueFrom }],
            livenessProbe: {
              httpGet: { path: '/', httpHeaders: [{ name: 'Authorization', value: '[redacted]' }] },
            },
            lifecycle: { preStop: { exec: { command: ['sh', '-c', 'curl https://a:[redacted]@b/'] } } },
          },
        ],
      });
    },
  );

  test('has flags, without the secrets among them', () => {
    const args = ['--port=80', '--password', 'hunter2', '-token', '--verbose', '--secret-name', 'db', 7];
    expect(redactedPodSpec({ containers: [{ args, command: ['web', '--api-key', 'hunter2'] }] })).toEqual({
      containers: [
        {
          args: ['--port=80', '--password', '[redacted]', '-token', '--verbose', '--secret-name', 'db', 7],
          command: ['web', '--api-key', '[redacted]'],
        },
      ],
    });
  });

  test('of a wrong type is stored as it is', () => {
    for (const spec of [
      undefined,
      null,
      7,
      'x',
      [],
      { containers: 'x' },
      { containers: [null, { env: 'x' }] },
    ])
      expect(redactedPodSpec(spec)).toEqual(spec);
  });

  test('is declared as redacted in every kind that has one', async () => {
    const kinds = await describeK8s();
    const redacting = kinds.filter(({ redactions }) =>
      redactions.some((path) => path.endsWith('containers.*.env.*.value')),
    );
    expect(redacting.map(({ resourceType }) => resourceType).sort()).toEqual([
      'CronJob',
      'DaemonSet',
      'Deployment',
      'Job',
      'Pod',
      'PodContainer',
      'ReplicaSet',
      'StatefulSet',
    ]);
    const cronJob = kinds.find(({ resourceType }) => resourceType === 'CronJob');
    expect(cronJob?.redactions).toContain('spec.jobTemplate.spec.template.spec.initContainers.*.env.*.value');
  });
});

describe('an argument', () => {
  test.each([
    ['--db-password=hunter2', '--db-password=[redacted]'],
    ['export API_TOKEN="hunter 2"; run', 'export API_TOKEN=[redacted]; run'],
    ['AWS_SECRET_ACCESS_KEY=hunter2 aws s3 ls', 'AWS_SECRET_ACCESS_KEY=[redacted] aws s3 ls'],
    ['postgres://web:hunter2@db:5432/shop', 'postgres://web:[redacted]@db:5432/shop'],
    ['Authorization: Bearer abcdefgh.ijkl', 'Authorization: Bearer [redacted]'],
    ['{"clientSecret": "hunter2", "id": "7"}', '{"clientSecret": "[redacted]", "id": "7"}'],
  ])('%s is stored without its secret', (argument, stored) => {
    expect(redactedArgument(argument)).toBe(stored);
  });

  test.each([
    '--anonymous-auth=false',
    '--token-auth-file=/etc/tokens.csv',
    '--enable-bootstrap-token-auth=true',
    '--tls-private-key-file=/etc/tls.key',
    '--authorization-mode=Node,RBAC',
    'https://shop.example:8443/a',
  ])('%s is stored as it is', (argument) => {
    expect(redactedArgument(argument)).toBe(argument);
  });

  test('of a script is not stored', () => {
    expect(redactedArgument('x'.repeat(4_097))).toBe('[redacted]');
  });
});
