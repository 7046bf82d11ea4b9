import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { Pack, shippedPacks } from '../packs/pack.ts';
import { ProfileCatalogue } from './catalogue.ts';
import { templateOf } from './profile.ts';

const catalogue = ProfileCatalogue.load(shippedPacks());

/** The profiles and templates that policies of clients refer to, and those for other datasources. */
const known: Record<string, string[]> = {
  LW_ACT_GCP_ACTIVITY_DEFAULT_PROFILE: ['Violation'],
  LW_ACT_K8S_AUDIT_DEFAULT_PROFILE: ['Violation'],
  LW_CFG_AWS_DEFAULT_PROFILE: ['CFG_AWS_Violation', 'CFG_AWS_PolicyChanged'],
  LW_CFG_AZURE_DEFAULT_PROFILE: ['Violation'],
  LW_CFG_GCP_DEFAULT_PROFILE: ['Violation'],
  LW_CFG_K8S_CLUSTER_DEFAULT_PROFILE: ['Violation'],
  LW_CFG_OCI_DEFAULT_PROFILE: ['Violation'],
  LW_CloudTrail_Alerts: ['CloudTrailDefaultAlert_AwsResource'],
  LW_HA_CONNECTION_SUMMARY_DEFAULT_PROFILE: ['Violation'],
  LW_HA_DNS_REQUESTS_DEFAULT_PROFILE: ['Violation'],
  LW_HA_FILE_CHANGES_DEFAULT_PROFILE: ['Violation'],
  LW_HA_SSH_LOGINS_DEFAULT_PROFILE: ['Violation'],
  LW_HA_SYSCALLS_EXEC_DEFAULT_PROFILE: ['Violation'],
  LW_HA_SYSCALLS_FILE_DEFAULT_PROFILE: ['Violation'],
  LW_HA_USER_LOGINS_DEFAULT_PROFILE: ['Violation'],
  LW_HE_ACCESS_SSH_AUTHORIZED_KEYS_DEFAULT_PROFILE: ['Violation'],
  LW_HE_CONTAINERS_DEFAULT_PROFILE: ['HE_Container_Violation'],
  LW_HE_FILES_DEFAULT_PROFILE: ['HE_File_Violation', 'HE_File_NewViolation', 'HE_File_PolicyChanged'],
  LW_HE_MACHINES_DEFAULT_PROFILE: ['HE_Machine_NewViolation'],
  LW_HE_PROCESSES_DEFAULT_PROFILE: ['HE_Process_Violation', 'HE_Process_NewViolation'],
  LW_HE_SECRETS_SSH_PRIVATE_KEYS_DEFAULT_PROFILE: ['Violation'],
  LW_HE_USERS_DEFAULT_PROFILE: ['HE_User_NewViolation'],
  LW_LPP_BaseProfile: [],
};

describe('the predefined profiles', () => {
  test('include all profiles and templates that clients know', () => {
    const entries = catalogue.all().map(({ id, alerts }) => [id, alerts.map(({ name }) => name)]);
    expect(Object.fromEntries(entries)).toEqual(known);
    expect(entries.map(([id]) => id)).toEqual(Object.keys(known));
  });

  test.each(catalogue.all())('$id: its templates name only fields that it has', ({ fields, alerts }) => {
    for (const { name, ...strings } of alerts) {
      const named = Object.values(strings).flatMap((text) => text.match(/(?<=\{\{)[^}]*(?=\}\})/g) ?? []);
      expect(named.length, name).toBeGreaterThan(0);
      for (const field of named) expect(fields, name).toContain(field);
    }
  });

  test('list the fields of the base before their own', () => {
    const base = catalogue.find('LW_LPP_BaseProfile')?.fields ?? [];
    expect(base).toContain('_OCCURRENCE');
    for (const { id, base: extended, fields } of catalogue.all()) {
      expect(extended, id).toBe(id === 'LW_LPP_BaseProfile' ? '' : 'LW_LPP_BaseProfile');
      expect(fields.slice(0, base.length), id).toEqual(base);
      expect(new Set(fields).size, id).toBe(fields.length);
    }
    expect(catalogue.find('LW_CFG_GCP_DEFAULT_PROFILE')?.fields).toEqual(
      expect.arrayContaining(['RESOURCE_TYPE', 'RESOURCE_ID', 'RESOURCE_REGION', 'PROJECT_ID']),
    );
  });

  test('include every profile of the built-in policies', async () => {
    const { policies } = await Pack.load(shippedPacks());
    for (const { id, alertProfile } of policies.filter((policy) => policy.alertProfile)) {
      const [profile = '', template] = (alertProfile ?? '').split('.');
      const resolved = catalogue.find(profile);
      expect(resolved && templateOf(resolved, template), id).toBeDefined();
    }
  });

  test('resolve a template name in the profile before its base, and no name to the first template', () => {
    const template = (name: string, subject: string) => ({ name, subject, eventName: 'e', description: '' });
    const profile = {
      alerts: [template('a', 'own'), template('b', 'own')],
      inherited: [template('b', 'inherited'), template('c', 'inherited')],
    };
    const subjectOf = (name?: string) => templateOf(profile, name)?.subject;
    expect([subjectOf('b'), subjectOf('c'), subjectOf('d')]).toEqual(['own', 'inherited', undefined]);
    expect(templateOf(profile)?.name).toBe('a');
    expect(templateOf({ ...profile, alerts: [] })?.subject).toBe('inherited');
  });
});

describe('an invalid pack', () => {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  const load = (packs: Record<string, string>) => {
    const folder = mkdtempSync(join(tmpdir(), 'profiles-'));
    folders.push(folder);
    mkdirSync(join(folder, 'profiles'));
    for (const [id, rest] of Object.entries(packs)) {
      const text = rest.includes('alertProfileId') ? rest : `alertProfileId: ${id}\n${rest}`;
      writeFileSync(join(folder, 'profiles', `${id}.yaml`), text);
    }
    return ProfileCatalogue.load(pathToFileURL(`${folder}/`));
  };
  const alert = (text: string) =>
    `fields: [PATH]\nalerts: [{ name: A, eventName: e, subject: '', description: '${text}' }]`;

  test.each([
    [{ LW_A: alert('{{PTH}}') }, "LW_A.yaml:3: alerts[0].description contains the unknown field 'PTH'"],
    [{ LW_A: `extends: LW_B\n${alert('')}` }, 'LW_A.yaml:2: extends can not be LW_B'],
    [{ LW_A: `extends: LW_A\n${alert('')}` }, 'LW_A.yaml:2: extends can not be LW_A'],
    [
      { LW_A: `extends: LW_B\n${alert('')}`, LW_B: `extends: LW_A\n${alert('')}` },
      'LW_B.yaml:2: extends can not be LW_A',
    ],
    [
      { LW_A: `alertProfileId: LW_B\n${alert('')}` },
      'LW_A.yaml:1: alertProfileId must be the name of the file',
    ],
    [{ own: alert('') }, 'own.yaml:1: alertProfileId'],
    [{ LW_A: 'fields: [path]\nalerts: []' }, 'LW_A.yaml:2: fields[0]'],
    [{ LW_A: 'alerts: []' }, 'LW_A.yaml:1: fields is required'],
    [{ LW_A: `${alert('')}\nalert: []` }, 'LW_A.yaml:4: alert is not a known member'],
  ])('prevents the start, with file, line and member: %#', (packs, message) => {
    expect(() => load(packs as Record<string, string>)).toThrow(`packs/profiles/${message}`);
  });

  test('a valid pack loads', () => {
    const loaded = load({
      LW_A: `extends: LW_B\n${alert('{{MID}} {{PATH}}')}`,
      LW_B: 'fields: [MID]\nalerts: []',
    });
    expect(loaded.find('LW_A')?.fields).toEqual(['MID', 'PATH']);
  });
});
