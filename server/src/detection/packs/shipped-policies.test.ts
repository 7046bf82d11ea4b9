import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { DatasourceCatalogue } from '../../datasources/catalogue.ts';
import { QueryLanguage } from '../../querying/language.ts';
import { datasets } from '../../telemetry/datasets.ts';
import { keysFor } from '../exceptions/offered-keys.ts';
import { ProfileCatalogue } from '../profiles/catalogue.ts';
import { Pack, shippedPacks } from './pack.ts';

const shipped = fileURLToPath(new URL('policies/', shippedPacks()));
const pack = await Pack.load(shippedPacks());
const language = new QueryLanguage(new DatasourceCatalogue({ datasets, packs: shippedPacks() }));
const profiles = ProfileCatalogue.load(shippedPacks());
const withoutPolicy = [
  'LW_Global_AWS_CTA_CloudTrailChange',
  'LW_Global_AWS_Config_S3BucketLoggingNotEnabled',
];
const fiveKeys = [
  ...['accountIds', 'arns', 'regionNames', 'resourceNames'].map((fieldKey) => ({
    fieldKey,
    dataType: 'String',
    multiValue: true,
  })),
  { fieldKey: 'resourceTags', dataType: 'KVTagPair', multiValue: true },
];

describe('the built-in policies', () => {
  test('have one number per folder, and the numbers known to clients do not change', () => {
    const numbers = parse(readFileSync(join(shipped, 'numbers.yaml'), 'utf8'));
    const places = readdirSync(shipped, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('policy.yaml'))
      .map((file) => dirname(file));
    const folders = pack.policies.map(({ folder }) => folder);
    expect(Object.values(numbers).sort()).toEqual([...folders].sort());
    expect(places.filter((place) => folders.every((folder) => !folder.startsWith(place)))).toEqual([]);
    expect(numbers).toMatchObject({
      1: 'aws/iam/access-key-deleted',
      2: 'aws/iam/root-account-used',
      8: 'aws/cloudtrail/logging-stopped',
      10: 'aws/iam/console-login-without-mfa',
      24: 'aws/ec2/security-group-opened',
      31: 'aws/account/security-questions',
      34: 'aws/iam/root-access-key',
      39: 'aws/iam/password-length',
      42: 'aws/iam/admin-policy-attached',
      46: 'aws/iam/full-admin-policy',
      73: 'aws/ec2/ssh-open-to-world',
      100: 'aws/s3/bucket-public',
      218: 'aws/cloudtrail/no-multi-region-trail',
    });
    expect(pack.policies.map(({ number }) => number)).toEqual(Object.keys(numbers).map(Number));
  });

  test('include those that client test suites look for', () => {
    for (const number of [1, 2])
      expect(pack.policy(`lacework-global-${number}`)).toMatchObject({
        policyType: 'Violation',
        enabled: true,
        alertEnabled: true,
        alertProfile: 'LW_CloudTrail_Alerts.CloudTrailDefaultAlert_AwsResource',
        limit: 1000,
      });
    expect(pack.policy('lacework-global-8')?.severity).toBe('critical');
    for (const number of [73, 100])
      expect(pack.policy(`lacework-global-${number}`)?.constraintFields).toEqual(fiveKeys);
    const withoutRegion = fiveKeys.filter(({ fieldKey }) => fieldKey !== 'regionNames');
    for (const number of [31, 34, 39, 46])
      expect(pack.policy(`lacework-global-${number}`)?.constraintFields).toEqual(withoutRegion);
    expect(pack.policy('lacework-global-31')).toMatchObject({ policyType: 'Manual', alertEnabled: false });
    expect(pack.policy('lacework-global-31')).not.toHaveProperty('queryId');
    expect(pack.query('LW_Global_AWS_CTA_AccessKeyDeleted')).toEqual({
      id: 'LW_Global_AWS_CTA_AccessKeyDeleted',
      description: 'IAM access key deleted',
      text: readFileSync(join(shipped, 'aws/iam/access-key-deleted/query.lql'), 'utf8').replace(/\n$/, ''),
      changedTime: '2026-11-17T00:00:00.000Z',
    });
    expect(pack.policy('lacework-global-3')).toBeUndefined();
    expect(pack.query('LW_Global_AWS_CTA_Nothing')).toBeUndefined();
  });

  test('come with the standalone queries that client documentation names', () => {
    for (const id of withoutPolicy) {
      expect(pack.query(id)?.description, id).toBeTruthy();
      expect(pack.policies.filter(({ queryId }) => queryId === id)).toEqual([]);
    }
  });

  test('return the columns of their kind', () => {
    const events = ['INSERT_ID', 'INSERT_TIME', 'EVENT_TIME'];
    const kinds: Record<string, { rows: RegExp; columns: readonly string[] }> = {
      LW_Global_AWS_CTA_: { rows: /^CloudTrailRawEvents$/, columns: [...events, 'EVENT'] },
      LW_Global_AWS_Config_: {
        rows: /^LW_CFG_AWS_/,
        columns: [
          ...['ACCOUNT_ALIAS', 'ACCOUNT_ID', 'RESOURCE_KEY', 'RESOURCE_REGION', 'RESOURCE_TYPE', 'SERVICE'],
          'COMPLIANCE_FAILURE_REASON',
        ],
      },
      LW_Global_Azure_Config_: {
        rows: /^LW_CFG_AZURE_/,
        columns: [
          ...['TENANT_ID', 'TENANT_NAME', 'SUBSCRIPTION_ID', 'SUBSCRIPTION_NAME', 'RESOURCE_KEY'],
          ...['RESOURCE_REGION', 'RESOURCE_TYPE', 'SERVICE', 'COMPLIANCE_FAILURE_REASON'],
        ],
      },
      LW_Global_Azure_Directory_: {
        rows: /^LW_CFG_AZURE_/,
        columns: ['RESOURCE_KEY', 'RESOURCE_REGION', 'RESOURCE_TYPE', 'SERVICE', 'COMPLIANCE_FAILURE_REASON'],
      },
      LW_Global_GCP_Config_: {
        rows: /^LW_CFG_GCP_/,
        columns: [
          ...[
            'ORGANIZATION_ID',
            'PROJECT_ID',
            'PROJECT_NAME',
            'RESOURCE_KEY',
            'RESOURCE_REGION',
            'RESOURCE_TYPE',
          ],
          ...['SERVICE', 'COMPLIANCE_FAILURE_REASON'],
        ],
      },
      LW_Global_K8s_Config_: {
        rows: /^LW_CFG_K8S_/,
        columns: [
          ...['CLUSTER_ID', 'CLUSTER_TYPE', 'NAMESPACE', 'RESOURCE_KEY', 'RESOURCE_TYPE'],
          'COMPLIANCE_FAILURE_REASON',
        ],
      },
      LW_Global_GCP_Activity_: {
        rows: /^LW_ACT_GCP_ACTIVITY$/,
        columns: [...events, 'EVENT', 'ORGANIZATION_ID', 'PROJECT_ID'],
      },
      LW_Global_K8s_Audit_: {
        rows: /^LW_ACT_K8S_AUDIT$/,
        columns: [
          ...[...events, 'USER_ID', 'USER_NAME', 'USER_GROUPS', 'CLOUD_USER', 'EVENT_URI', 'EVENT_NAME'],
          ...['EVENT_SOURCE', 'EVENT_OBJECT', 'OBJECT_NAMESPACE', 'CLUSTER_TYPE', 'CLUSTER_ID', 'COMMAND'],
          'EVENT_JSON',
        ],
      },
      // The other columns depend on the datasource.
      LW_Global_Host_: { rows: /^LW_H[AE]_/, columns: [] },
    };
    const withQuery = pack.policies.filter(({ policyType }) => policyType !== 'Manual');
    expect(pack.queries).toHaveLength(withQuery.length + withoutPolicy.length);
    for (const queryId of pack.queries.map(({ id }) => id)) {
      const kind = kinds[queryId.replace(/(?<=^LW_Global_(?:Host|[^_]+_[^_]+)_).*/, '')];
      const text = pack.query(queryId)?.text ?? '';
      expect(text).toMatch(
        /^\{\n {4}source \{\n[\s\S]*\n {4}filter \{\n[\s\S]*\n {4}return (distinct )?\{\n[\s\S]*\}$/,
      );
      const read = language.read(text);
      expect(text.match(/(?<=source \{\n\s+)\w+/)?.[0], queryId).toMatch(kind?.rows ?? /^$/);
      // Policies whose key is neither the ARN nor the name return both for exceptions.
      const columns = read.query.columns
        .map(({ name }) => name)
        .filter((name) => name !== 'ARN' && name !== 'RESOURCE_ID');
      if (kind?.columns.length === 0) expect(columns, queryId).toContain('MID');
      // The ARN is a column of its own where it is not the key: several accounts have the policies of AWS.
      else
        expect(
          columns.filter((name) => name !== 'ARN'),
          queryId,
        ).toEqual(kind?.columns);
      expect([read.policyProblem, read.warnings], queryId).toEqual([undefined, []]);
    }
  });

  test('offer only exception keys that their results have', () => {
    for (const { queryId = '', id, constraintFields } of pack.policies) {
      const text = pack.query(queryId)?.text;
      const offered = constraintFields.map(({ fieldKey }) => fieldKey);
      expect(offered, id).not.toEqual([]);
      if (text !== undefined)
        expect(keysFor(language.read(text).query), id).toEqual(expect.arrayContaining(offered));
    }
  });

  /** A violation reported every hour is one violation only if no column contains the hour. */
  test('on hosts return no columns that change while the violation stays the same', () => {
    for (const { queryId = '' } of pack.policies) {
      const text = pack.query(queryId)?.text ?? '';
      if (!/^\{\s+source \{\s+LW_HE_/.test(text)) continue;
      const names = language.read(text).query.columns.map(({ name }) => name);
      expect(
        names.filter((name) => /^(?:BATCH_|RECORD_CREATED_TIME$)/.test(name)),
        queryId,
      ).toEqual([]);
      expect(text, queryId).toContain('return distinct {');
    }
  });

  test('return only fields of their alert profile, so that an alert can show all of them', () => {
    for (const { id, queryId = '', alertProfile = '' } of pack.policies) {
      const text = pack.query(queryId)?.text;
      if (text === undefined) continue;
      const fields = profiles.find(alertProfile.split('.')[0] ?? '')?.fields ?? [];
      const unknown = language.read(text).query.columns.filter(({ name }) => !fields.includes(name));
      expect(unknown, id).toEqual([]);
    }
  });
});
