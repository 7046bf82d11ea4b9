import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Pack } from './pack.ts';

const watching = `title: Key deleted
description: Someone deleted a key.
remediation: |-
  1. Ask who.
severity: medium
type: Violation
maturity: stable
changed: 2026-01-31
query: LW_Global_AWS_CTA_KeyDeleted
alertProfile: LW_CloudTrail_Alerts
evalFrequency: Hourly
tags: [domain:AWS]
`;
const checking = watching
  .replace('Violation', 'Compliance')
  .replace('CTA_KeyDeleted', 'Config_KeyPresent')
  .replace(
    /remediation: .*\n.*/,
    'rationale: Keys leak.\nremediation: { console: Delete it., cli: rm, terraform: no key }',
  );
const attesting = watching.replace('Violation', 'Manual').replace(/^query: .*\n/m, '');
const numbers = '7: aws/iam/key-present\n5: aws/iam/key-deleted\n6: aws/iam/questions\n';

describe('a pack', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'vedette-packs-'));
    write('numbers.yaml', numbers);
    write('aws/iam/key-deleted/policy.yaml', watching);
    write('aws/iam/key-deleted/query.lql', '{ source { CloudTrailRawEvents } return { INSERT_ID } }');
    write('aws/iam/key-present/policy.yaml', checking);
    write('aws/iam/key-present/query.lql', '{ source { LW_CFG_AWS_IAM_USERS } return { ARN } }');
    write('aws/iam/questions/policy.yaml', attesting);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const write = (file: string, text: string) => {
    const path = join(root, 'policies', file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const load = () => Pack.load(pathToFileURL(`${root}/`));
  const problems = async () => {
    const error = await load().then(
      () => new Error('nothing was wrong'),
      (reason: Error) => reason,
    );
    const [introduction, ...lines] = error.message.split('\n');
    expect(introduction).toBe('The built-in policies can not be used:');
    return lines;
  };

  test('is ordered by number, and policies that are not stable are disabled', async () => {
    write('aws/iam/key-deleted/policy.yaml', watching.replace('stable', 'experimental'));
    const { policies, queries } = await load();
    expect(policies.map(({ id, enabled, alertEnabled }) => [id, enabled, alertEnabled])).toEqual([
      ['lacework-global-5', false, false],
      ['lacework-global-6', true, false],
      ['lacework-global-7', true, true],
    ]);
    expect(queries.map(({ id }) => id)).toEqual([
      'LW_Global_AWS_CTA_KeyDeleted',
      'LW_Global_AWS_Config_KeyPresent',
    ]);
  });

  test.each([
    [
      'severity: medium',
      'severity: grave',
      "5: severity must be one of critical, high, medium, low, info, not 'grave'.",
    ],
    ['severity: medium\n', '', '1: severity is required: add it to the file.'],
    ['title: Key deleted', 'title: ""', '1: title must not be empty.'],
    [
      'tags: [domain:AWS]',
      'tags:\n  - a\n  - a b',
      "14: tags[1] has an invalid value: 'a b'. A tag has no spaces.",
    ],
    [
      'evalFrequency',
      'mature: yes\nevalFrequency',
      '11: mature is not a known member: correct or remove it.',
    ],
    [
      'type: Violation',
      'type: Manual',
      '9: query must be absent, and query.lql too: a person attests a Manual policy.',
    ],
    [/query: .*\n/, '', '1: query is required: a Violation policy names the query in query.lql.'],
    [
      /query: .*/,
      'query: Mine',
      "9: query has an invalid value: 'Mine'. The id of a built-in query begins with LW_Global_.",
    ],
    [
      'severity: medium',
      'severity: [',
      '6: Flow sequence in block collection must be sufficiently indented and end with a ].',
    ],
  ])('reports a policy.yaml in which %s becomes %j', async (pattern, text, message) => {
    write('aws/iam/key-deleted/policy.yaml', watching.replace(pattern, text));
    expect(await problems()).toEqual([`packs/policies/aws/iam/key-deleted/policy.yaml:${message}`]);
  });

  test('requires a rationale and three ways of remediation of a policy over configuration', async () => {
    const place = 'packs/policies/aws/iam/key-present/policy.yaml';
    write('aws/iam/key-present/policy.yaml', checking.replace(/rationale: .*\n/, ''));
    expect(await problems()).toEqual([`${place}:1: rationale is required: say why the finding matters.`]);
    write('aws/iam/key-present/policy.yaml', checking.replace(/remediation: .*/, 'remediation: Delete it.'));
    expect(await problems()).toEqual([`${place}:4: remediation must have console, cli and terraform.`]);
  });

  test('has a policy for each entry of a family', async () => {
    write('numbers.yaml', `${numbers}8: aws/public/bucket\n9: aws/public/queue\n`);
    write(
      'aws/public/entries.yaml',
      'bucket: { name: Bucket, source: S3 }\nqueue: { name: Queue, source: SQS }\n',
    );
    write(
      'aws/public/policy.yaml',
      checking
        .replace('title: Key deleted', 'title: $(name) is public')
        .replace('KeyPresent', 'Public$(name)'),
    );
    write('aws/public/query.lql', '{ source { LW_CFG_AWS_$(source) } return { ARN } }');
    const { policies, query } = await load().then((pack) => ({
      policies: pack.policies.slice(-2),
      query: pack.query('LW_Global_AWS_Config_PublicQueue'),
    }));
    expect(policies.map(({ id, folder, title }) => [id, folder, title])).toEqual([
      ['lacework-global-8', 'aws/public/bucket', 'Bucket is public'],
      ['lacework-global-9', 'aws/public/queue', 'Queue is public'],
    ]);
    expect(query?.text).toBe('{ source { LW_CFG_AWS_SQS } return { ARN } }');
    write('aws/public/entries.yaml', 'bucket: { name: Bucket, source: S3 }\nqueue: { name: Queue }\n');
    expect(await problems()).toContain(
      'packs/policies/aws/public/entries.yaml:2: queue must have the variables name, source, as bucket has.',
    );
  });

  test('reports an unknown exception key', async () => {
    write('aws/iam/key-present/policy.yaml', `${checking}exceptions: [accountIds, hosts]\n`);
    expect((await problems()).join()).toMatch(
      /^packs\/policies\/aws\/iam\/key-present\/policy\.yaml:13: exceptions\[1\] must be one of accountIds, .*, not 'hosts'\.$/,
    );
  });

  test('reports all errors at once', async () => {
    write('aws/iam/key-deleted/query.lql', '\n');
    write('aws/iam/key-present/policy.yaml', checking.replace('Hourly', 'Never'));
    write('numbers.yaml', numbers.replace(/6: .*/, '9: aws/iam/nowhere\n10: aws/iam/key-present'));
    expect(await problems()).toEqual([
      'packs/policies/numbers.yaml:3: 9 names aws/iam/nowhere, which has no policy.yaml.',
      'packs/policies/numbers.yaml:4: 10 names aws/iam/key-present, which already has number 7.',
      'packs/policies/numbers.yaml:1: aws/iam/questions has no number: add one that was never used.',
      'packs/policies/aws/iam/key-deleted/policy.yaml:9: query is LW_Global_AWS_CTA_KeyDeleted, but query.lql is missing or empty.',
      "packs/policies/aws/iam/key-present/policy.yaml:11: evalFrequency must be one of Hourly, Daily, not 'Never'.",
    ]);
  });

  test('reports a query with two policies', async () => {
    write('aws/iam/key-present/policy.yaml', watching);
    expect(await problems()).toEqual([
      'packs/policies/aws/iam/key-present/policy.yaml:9: query is LW_Global_AWS_CTA_KeyDeleted, which lacework-global-5 already uses.',
    ]);
  });

  test('has standalone queries and reports errors in them', async () => {
    const query = (folder: string, yaml: string, lql?: string) => {
      write(`../queries/${folder}/query.yaml`, yaml);
      if (lql !== undefined) write(`../queries/${folder}/query.lql`, lql);
    };
    const fine = 'description: Keys\nchanged: 2026-01-31\n';
    query('LW_Global_AWS_CTA_Keys', fine, '{ source { CloudTrailRawEvents } return { INSERT_ID } }\n');
    expect((await load()).query('LW_Global_AWS_CTA_Keys')).toEqual({
      id: 'LW_Global_AWS_CTA_Keys',
      description: 'Keys',
      text: '{ source { CloudTrailRawEvents } return { INSERT_ID } }',
      changedTime: '2026-01-31T00:00:00.000Z',
    });
    query('Mine', fine, '{}');
    query('LW_Global_AWS_CTA_None', fine, ' \n');
    query('LW_Global_AWS_CTA_Odd', `${fine}owner: me\n`, '{}');
    query('LW_Global_AWS_CTA_KeyDeleted', fine, '{}');
    expect(await problems()).toEqual([
      'packs/queries/LW_Global_AWS_CTA_None/query.yaml:1: query.lql is missing or empty.',
      'packs/queries/LW_Global_AWS_CTA_Odd/query.yaml:3: owner is not a known member: correct or remove it.',
      "packs/queries/Mine/query.yaml:1: folder has an invalid value: 'Mine'. The id of a built-in query begins with LW_Global_.",
      'packs/queries/LW_Global_AWS_CTA_KeyDeleted/query.yaml:1: LW_Global_AWS_CTA_KeyDeleted already belongs to lacework-global-5: delete one of the two.',
    ]);
  });

  test('reports missing, duplicate and invalid numbers', async () => {
    const broken = async (line: string) => {
      write('numbers.yaml', `${numbers}${line}\n`);
      return problems();
    };
    expect(await broken('5: aws/iam/other')).toEqual([
      'packs/policies/numbers.yaml:4: Map keys must be unique.',
    ]);
    expect(await broken('eight: aws/iam/other')).toEqual([
      'packs/policies/numbers.yaml:4: eight is not a known member: correct or remove it.',
    ]);
    expect(await broken('8: ../outside')).toEqual([
      "packs/policies/numbers.yaml:4: [8] has an invalid value: '../outside'. Write cloud/service/policy.",
    ]);
    rmSync(join(root, 'policies'), { recursive: true });
    expect((await problems()).join()).toMatch(/^ENOENT.*numbers\.yaml/);
  });
});
