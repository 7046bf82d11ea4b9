import { describe, expect, test } from 'vitest';
import { shippedPacks } from '../packs/pack.ts';
import type { PolicyRecord } from '../policies/record.ts';
import { ProfileCatalogue } from '../profiles/catalogue.ts';
import { templateOf } from '../profiles/profile.ts';
import { alertTextOf } from './alert-text.ts';

const policy = {
  ...{ policyId: 'acme-one', policyType: 'Violation', title: 'A title', description: 'A description' },
  ...{ severity: 'critical', tags: ['domain:AWS', 'x'], remediation: '1. Mend it.' },
} as PolicyRecord;
const fields = ['PATH', 'MID', 'EVENT', 'GONE', '_POLICY_TITLE', '_EVENT_COUNT', '_SEVERITY'];
const resolved = (subject: string, name = 'HE_File_Violation') => ({
  profileId: 'LW_HE_FILES_DEFAULT_PROFILE',
  template: { name, eventName: 'Name of {{PATH}}', subject, description: 'About {{_POLICY_TITLE}}' },
  fields,
});
const summary = 'eve changed /etc/passwd on web-1';
const row = { PATH: '/etc/{{MID}}', MID: 9007199254740993n, EVENT: { a: [1] }, HIDDEN: 'secret', GONE: null };
const subjectOf = (text: string) =>
  alertTextOf({ policy, resolved: resolved(text), row, summary, total: 3 }).subject;

describe('the text of an alert', () => {
  test('replaces each placeholder with the value of the first row or the policy', () => {
    expect(
      subjectOf(
        '{{ PATH }} {{MID}} {{EVENT}} {{_EVENT_COUNT}} {{_SEVERITY}} {{_OCCURRENCE}} {{_PRIMARY_TAG}}',
      ),
    ).toBe('/etc/{{MID}} 9007199254740993 {"a":[1]} 3 Critical New domain:AWS');
    expect(alertTextOf({ policy, resolved: resolved('x'), row, summary, total: 1 })).toMatchObject({
      ...{ alertName: 'Name of /etc/{{MID}}', description: 'About A title', alertType: 'HE_File_Violation' },
      alertSpec: { alertProfile: 'LW_HE_FILES_DEFAULT_PROFILE', name: 'HE_File_Violation' },
    });
  });

  test('leaves placeholders without a value empty', () => {
    expect(subjectOf('[{{GONE}}] [{{ABSENT}}] [{{HIDDEN}}] [{{constructor}}]')).toBe('[] [] [] []');
  });

  test('is bounded, whatever the length of the values', () => {
    const long = { PATH: 'x'.repeat(100_000) };
    const words = alertTextOf({
      policy,
      resolved: resolved('{{PATH}}'.repeat(100)),
      row: long,
      summary,
      total: 1,
    });
    expect(words.subject.length).toBe(2_000);
    expect(words.alertName.length).toBeLessThanOrEqual(500);
  });

  test('is derived from the policy if that names no profile', () => {
    const given = { policy, resolved: undefined, row, summary };
    expect(alertTextOf({ ...given, total: 1 })).toEqual({
      ...{ alertName: 'A title', alertType: 'NewPolicyViolation', subject: `A title: ${summary}` },
      ...{ description: 'A description\n\nWhat to do:\n1. Mend it.', remediation: '1. Mend it.' },
      alertSpec: undefined,
    });
    expect(alertTextOf({ ...given, total: 4 }).subject).toBe(`A title: ${summary}, and 3 more`);
    const silent = { ...given, policy: { ...policy, remediation: '' }, total: 1 };
    expect(alertTextOf(silent)).toMatchObject({ description: 'A description', remediation: '' });
  });

  test('from a predefined profile has the policy title, the summary and the remediation', async () => {
    const profile = ProfileCatalogue.load(shippedPacks()).find('LW_HE_FILES_DEFAULT_PROFILE');
    const template = profile && templateOf(profile, 'HE_File_Violation');
    if (!profile || !template) throw new Error('no template');
    const own = { profileId: profile.id, template, fields: profile.fields };
    expect(alertTextOf({ policy, resolved: own, row, summary, total: 2 })).toMatchObject({
      ...{ alertName: 'A title', subject: `A title: ${summary}, and 1 more` },
      description: 'A description\n\nWhat to do:\n1. Mend it.',
    });
  });

  test('has the alert type that clients expect', () => {
    const typeOf = (name: string, policyType = 'Violation') =>
      alertTextOf({
        policy: { ...policy, policyType },
        resolved: resolved('x', name),
        row,
        summary,
        total: 1,
      }).alertType;
    expect(typeOf('CloudTrailDefaultAlert_AwsResource')).toBe('CloudTrailDefaultAlert');
    expect(typeOf('CFG_AWS_Violation', 'Compliance')).toBe('NewViolations');
  });
});
