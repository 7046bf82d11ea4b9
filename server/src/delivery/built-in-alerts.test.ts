import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withViolations } from '../alerts/listing.ts';
import { withNames } from '../alerts/message-of.ts';
import { alertTextOf, titleCase } from '../detection/evaluation/alert-text.ts';
import { entitiesOf, nameOf } from '../detection/evaluation/entities.ts';
import { keyOf, type Row } from '../detection/evaluation/row.ts';
import { type Subject, subjectOf } from '../detection/evaluation/subject.ts';
import { StoredCase, violationsOf } from '../detection/packs/case-runner.ts';
import { Pack, shippedPacks } from '../detection/packs/pack.ts';
import type { BuiltInPolicy } from '../detection/packs/policy.ts';
import { readPolicyCases } from '../detection/packs/policy-cases.ts';
import { builtInRecord } from '../detection/policies/record.ts';
import { ProfileCatalogue } from '../detection/profiles/catalogue.ts';
import { templateOf } from '../detection/profiles/profile.ts';
import { summaryOf } from '../detection/summary/summary.ts';
import { sampleMessages } from '../testing/alert-message.ts';
import { type OpenedCaseStore, openCaseStore } from '../testing/case-store.ts';
import { plainText } from './plain-text.ts';
import { headline } from './wording.ts';

const pack = await Pack.load(shippedPacks());
const book = await readPolicyCases(shippedPacks(), pack);
const profiles = ProfileCatalogue.load(shippedPacks());

/** Sample rows of some policies over configuration; their alerts differ in the title and the resource only. */
const account = { ACCOUNT_ALIAS: 'shop', ACCOUNT_ID: '123456789012', RESOURCE_REGION: 'eu-central-1' };
const ofAccount = { ...account, RESOURCE_KEY: '123456789012', RESOURCE_REGION: 'global' };
const findings: Readonly<Record<string, Row>> = {
  'aws/cloudtrail/no-multi-region-trail': { ...ofAccount, RESOURCE_TYPE: 'account' },
  'aws/ec2/ssh-open-to-world': {
    ...{ ...account, RESOURCE_KEY: 'arn:aws:ec2:eu-central-1:123456789012:security-group/sg-0a1b' },
    RESOURCE_TYPE: 'ec2:security-group',
  },
  'aws/iam/full-admin-policy': {
    ...{ ...account, RESOURCE_KEY: 'arn:aws:iam::123456789012:policy/helper', RESOURCE_REGION: 'global' },
    RESOURCE_TYPE: 'iam:policy',
  },
  'aws/iam/password-length': { ...ofAccount, RESOURCE_TYPE: 'iam:password-policy' },
  'aws/iam/root-access-key': { ...ofAccount, RESOURCE_TYPE: 'iam:account-summary' },
  'aws/s3/bucket-public': {
    ...{ ...account, RESOURCE_KEY: 'arn:aws:s3:::shop-logs', RESOURCE_TYPE: 's3:bucket' },
  },
};

let place: OpenedCaseStore;
beforeAll(async () => {
  place = await openCaseStore();
});
afterAll(() => place.close());

/** The rows that violate the policy in its cases. */
async function rowsOf({ policy, query, cases }: (typeof book)[number]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [index, one] of cases.entries()) {
    if (one.alerts === 'none') continue;
    const owner = `${policy.number}-${index}`;
    await StoredCase.take(place, owner, one);
    rows.push(...(await violationsOf(place, owner, query)).values());
  }
  return rows;
}

/** The e-mail of an alert with one violation. */
function mailed(policy: BuiltInPolicy, subject: Subject, row: Row): { subject: string; text: string } {
  const [profileId = '', templateName] = policy.alertProfile?.split('.') ?? [];
  const profile = profiles.find(profileId);
  const template = profile && templateOf(profile, templateName);
  const hostname = subject.source === 'Agent' ? 'web-1.shop.example' : undefined;
  const name = nameOf(row, subject, keyOf(row, subject), hostname);
  const entities = entitiesOf(row, subject);
  const listed = withViolations([{ key: '', name, row, entities, hostname }], 1);
  const words = alertTextOf({
    policy: builtInRecord(policy, undefined),
    resolved: profile && template && { profileId, template, fields: profile.fields },
    ...{ row, total: 1, summary: summaryOf({ row, subject, hostname, name }) },
  });
  const { firstEventTime, lastEventTime, ...sample } = sampleMessages.opened;
  const { alertName, description, remediation } = words;
  const message = {
    ...{ ...sample, alertName, description, remediation, subject: words.subject },
    ...{ severity: titleCase(policy.severity), subCategory: subject.subCategory, source: subject.source },
    ...{ alertId: 1, policyId: policy.id, link: 'https://vedette.example.com/api/v2/Alerts/1?scope=Details' },
    ...{ entities: withNames([], listed.joined), violations: 1 },
  };
  expect(alertName).toBe(policy.title);
  return { subject: words.subject, text: `${headline(message)}\n\n${plainText(message)}` };
}

/** A row with all columns of a query. */
function sampleRow(query: string): Row {
  const { columns } = place.language.read(query).query;
  return Object.fromEntries(columns.map(({ name }) => [name, `sample-${name.toLowerCase()}`]));
}

test('subjects of alerts on configuration name the finding and the resource', () => {
  const policies = pack.policies.filter(({ policyType }) => policyType === 'Compliance');
  expect(policies.length).toBeGreaterThan(500);
  for (const policy of policies) {
    const query = pack.query(policy.queryId ?? '')?.text ?? '';
    const { subject } = mailed(policy, subjectOf(place.language.read(query)), sampleRow(query));
    expect(subject, policy.folder).not.toMatch(/\{\{|undefined|\[object/);
    expect(subject, policy.folder).toContain(policy.title);
    expect(subject, policy.folder).toContain('sample-');
  }
});

/** The alert texts of all policies over events, and of some over configuration, in one file. Update with `npx vitest run built-in-alerts --update`. */
test('subjects and messages of built-in policies match the golden file', async () => {
  const pages: string[] = [];
  for (const policy of pack.policies.filter(({ policyType }) => policyType !== 'Manual')) {
    const query = pack.query(policy.queryId ?? '')?.text ?? '';
    const subject = subjectOf(place.language.read(query));
    const cased = book.find((each) => each.policy.id === policy.id);
    const finding = findings[policy.folder];
    if (!cased && !finding) continue;
    const rows = cased ? await rowsOf(cased) : finding ? [finding] : [];
    const all = rows.map((row) => mailed(policy, subject, row));
    const subjects = [...new Set(all.map((each) => each.subject))].sort();
    expect(subjects.length, policy.folder).toBeGreaterThan(0);
    for (const each of subjects) expect(each, policy.folder).not.toMatch(/\{\{|undefined|\[object|\d{13,}/);
    const [first] = all
      .filter((each) => each.subject === subjects[0])
      .map(({ text }) => text)
      .sort();
    pages.push(
      `# ${policy.id} ${policy.folder}\n\n${subjects.map((each) => `- ${each}`).join('\n')}\n\n${first?.replace(/^/gm, '    ').replace(/ +$/gm, '')}\n`,
    );
  }
  const golden = fileURLToPath(new URL('../../src/delivery/built-in-alerts.golden.md', import.meta.url));
  await expect(pages.join('\n')).toMatchFileSnapshot(golden);
});
