import { describe, expect, test } from 'vitest';
import type { PolicyRecord } from '../policies/record.ts';
import { wordsOf } from './words.ts';

const policy = {
  ...{ policyId: 'acme-one', policyType: 'Violation', title: 'A title', description: 'A description' },
  ...{ severity: 'critical', tags: ['domain:AWS', 'x'] },
} as PolicyRecord;
const fields = ['PATH', 'MID', 'EVENT', 'GONE', '_POLICY_TITLE', '_EVENT_COUNT', '_SEVERITY'];
const resolved = (subject: string, name = 'HE_File_Violation') => ({
  profileId: 'LW_HE_FILES_DEFAULT_PROFILE',
  template: { name, eventName: 'Name of {{PATH}}', subject, description: 'About {{_POLICY_TITLE}}' },
  fields,
});
const row = { PATH: '/etc/{{MID}}', MID: 9007199254740993n, EVENT: { a: [1] }, HIDDEN: 'secret', GONE: null };
const subjectOf = (text: string) => wordsOf({ policy, resolved: resolved(text), row, total: 3 }).subject;

describe('the words of an alert', () => {
  test('have the fields of the first row and of the policy in their places, each once', () => {
    expect(
      subjectOf(
        '{{ PATH }} {{MID}} {{EVENT}} {{_EVENT_COUNT}} {{_SEVERITY}} {{_OCCURRENCE}} {{_PRIMARY_TAG}}',
      ),
    ).toBe('/etc/{{MID}} 9007199254740993 {"a":[1]} 3 Critical New domain:AWS');
    expect(wordsOf({ policy, resolved: resolved('x'), row, total: 1 })).toMatchObject({
      ...{ alertName: 'Name of /etc/{{MID}}', description: 'About A title', alertType: 'HE_File_Violation' },
      alertSpec: { alertProfile: 'LW_HE_FILES_DEFAULT_PROFILE', name: 'HE_File_Violation' },
    });
  });

  test('leave open what the row lacks and what the profile does not know', () => {
    expect(subjectOf('[{{GONE}}] [{{ABSENT}}] [{{HIDDEN}}] [{{constructor}}]')).toBe('[] [] [] []');
  });

  test('are bounded, however long a value is', () => {
    const long = { PATH: 'x'.repeat(100_000) };
    const words = wordsOf({ policy, resolved: resolved('{{PATH}}'.repeat(100)), row: long, total: 1 });
    expect(words.subject.length).toBe(2_000);
    expect(words.alertName.length).toBeLessThanOrEqual(500);
  });

  test('follow from the policy where it names no profile', () => {
    const given = { policy, resolved: undefined, row: { RESOURCE_KEY: 'arn:1' } };
    expect(wordsOf({ ...given, total: 1 })).toEqual({
      ...{ alertName: 'A title', alertType: 'NewPolicyViolation', subject: 'A title: arn:1' },
      ...{ description: 'A description', alertSpec: undefined },
    });
    expect(wordsOf({ ...given, total: 4 }).subject).toBe('A title: arn:1 and 3 more');
  });

  test('name the type as clients know it', () => {
    const typeOf = (name: string, policyType = 'Violation') =>
      wordsOf({ policy: { ...policy, policyType }, resolved: resolved('x', name), row, total: 1 }).alertType;
    expect(typeOf('CloudTrailDefaultAlert_AwsResource')).toBe('CloudTrailDefaultAlert');
    expect(typeOf('CFG_AWS_Violation', 'Compliance')).toBe('NewViolations');
  });
});
