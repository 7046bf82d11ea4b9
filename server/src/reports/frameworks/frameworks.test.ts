import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { Pack, shippedPacks } from '../../detection/packs/pack.ts';
import { coverageOf } from './coverage.ts';
import { Frameworks } from './frameworks.ts';

const shipped = new Frameworks(shippedPacks());
const temporary: string[] = [];
afterEach(() => {
  for (const directory of temporary.splice(0)) rmSync(directory, { recursive: true });
});

/** Frameworks of a copy of the packs. */
function changed(change: (edit: (file: string, from: string, to: string) => void, folder: string) => void) {
  const packs = mkdtempSync(join(tmpdir(), 'vedette-frameworks-'));
  temporary.push(packs);
  const folder = join(packs, 'frameworks');
  cpSync(fileURLToPath(new URL('frameworks/', shippedPacks())), folder, { recursive: true });
  change((file, from, to) => {
    const text = readFileSync(join(folder, file), 'utf8');
    expect(text).toContain(from);
    writeFileSync(join(folder, file), text.replace(from, to));
  }, folder);
  return new Frameworks(pathToFileURL(`${packs}/`));
}

describe('the shipped frameworks', () => {
  test('are valid, one for each file', async () => {
    const files = readdirSync(new URL('frameworks/', shippedPacks())).filter((name) =>
      name.endsWith('.yaml'),
    );
    expect(await shipped.all()).toHaveLength(files.length);
    expect(files).toHaveLength(52);
  });

  test('are found by report type and by the title that clients send', async () => {
    const byType = await shipped.byReportType('AWS_CIS_14');
    expect(byType).toMatchObject({ cloud: 'AWS', kind: 'benchmark' });
    expect(byType?.sections.map(({ id }) => id)).toEqual(['1', '2.1', '2.2', '2.3', '3', '4', '5']);
    expect(byType?.sections[0]?.controls[3]).toEqual({
      ...{ id: '1.4', isManual: false },
      checks: ['iam_root_no_access_key'],
    });
    for (const [title, reportType] of [
      ['CIS Amazon Web Services Foundations Benchmark v1.4.0', 'AWS_CIS_14'],
      ['CIS Microsoft Azure Foundations Benchmark v1.5.0', 'AZURE_CIS_1_5'],
      ['GCP CIS Benchmark 1.3', 'GCP_CIS13'],
      ['AWS SOC 2 Report Rev2', 'AWS_SOC_Rev2'],
      ['AWS ISO 27001:2013 Report', 'ISO_2700'],
    ] as const)
      expect((await shipped.byTitle(title))?.reportType).toBe(reportType);
    expect(await shipped.byReportType('NONE')).toBeUndefined();
    expect(await shipped.byTitle('AWS_CIS_14')).toBeUndefined();
  });

  test('share the content of aliases, under their own names', async () => {
    const alias = await shipped.byReportType('AWS_ISO_27001:2013');
    const original = await shipped.byReportType('ISO_2700');
    expect(alias).toMatchObject({ reportType: 'AWS_ISO_27001:2013', sameAs: 'ISO_2700', cloud: 'AWS' });
    expect(alias?.title).not.toBe(original?.title);
    expect(alias?.sections).toBe(original?.sections);
  });

  test('and policies name known checks only', async () => {
    const checks = await shipped.checks();
    expect(checks.size).toBe(929);
    const { policies } = await Pack.load(shippedPacks());
    const keys = policies.flatMap(({ check }) => check ?? []);
    expect(keys.filter((key) => !checks.has(key))).toEqual([]);
    for (const framework of await shipped.all())
      for (const { controls } of framework.sections)
        expect(controls.flatMap((control) => control.checks).filter((key) => !checks.has(key))).toEqual([]);
  });
});

describe('frameworks', () => {
  test('are not read before the first use', async () => {
    const absent = new Frameworks(new URL('file:///nowhere/'));
    await expect(absent.heads()).rejects.toThrow('ENOENT');
  });

  test('report the errors of all heads together, with file and line', async () => {
    const frameworks = changed((edit, folder) => {
      edit('PCI.yaml', 'kind: standard', 'kind: norm');
      edit('AWS_HIPAA.yaml', 'sameAs: HIPAA', 'sameAs: HIPPA');
      edit('AWS_SOC_2.yaml', 'sameAs: SOC', 'sameAs: AWS_SOC_Rev2');
      edit('GCP_SOC.yaml', 'title: GCP SOC 2 Report', 'title: AWS SOC 2 Report');
      edit('checks.tsv', '\tmedium\tattested', '\tmild\tattested');
      cpSync(join(folder, 'GCP_K8S.yaml'), join(folder, 'OTHER.yaml'));
    });
    const message = await frameworks.heads().catch((error: Error) => error.message);
    expect(message).toBe(
      [
        'The frameworks can not be used:',
        'packs/frameworks/checks.tsv:2: severity must be one of critical, high, medium, low, info, not mild.',
        'packs/frameworks/OTHER.yaml:1: The file must be named GCP_K8S.yaml.',
        "packs/frameworks/PCI.yaml:4: kind must be one of benchmark, standard, not 'norm'.",
        'packs/frameworks/AWS_HIPAA.yaml:3: sameAs is HIPPA, which does not exist.',
        'packs/frameworks/AWS_SOC_2.yaml:3: sameAs is AWS_SOC_Rev2, which is an alias itself.',
        'packs/frameworks/SOC.yaml:2: title is already that of GCP_SOC.',
      ].join('\n'),
    );
  });

  test('report the errors of all contents together, and are otherwise usable', async () => {
    const frameworks = changed((edit) => {
      edit('AWS_CIS_14.yaml', 'iam_root_mfa]', 'iam_roof_mfa]');
      edit('AWS_CIS_14.yaml', 'id: "1.6"', 'id: "1.7"');
      edit('GCP_K8S.yaml', 'gcp_gke_logging', 'iam_root_mfa');
      edit('HIPAA.yaml', '    title: ', '    titel: ');
    });
    const message = await frameworks.all().catch((error: Error) => error.message);
    expect(message).toBe(
      [
        'The frameworks can not be used:',
        'packs/frameworks/AWS_CIS_14.yaml:13: iam_roof_mfa is not in checks.tsv.',
        'packs/frameworks/AWS_CIS_14.yaml:15: The control 1.7 exists twice.',
        'packs/frameworks/HIPAA.yaml:6: sections[0].title is required: add it to the file.',
        'packs/frameworks/HIPAA.yaml:7: sections[0].titel is not a known member: correct or remove it.',
        'packs/frameworks/GCP_K8S.yaml:9: iam_root_mfa is a check of AWS, not of GCP.',
      ].join('\n'),
    );
    await expect(frameworks.byReportType('AWS_HIPAA')).rejects.toThrow('HIPAA.yaml:6');
    expect(await frameworks.byReportType('PCI')).toMatchObject({ kind: 'standard' });
  });

  test('are covered by the policies of their automated checks', async () => {
    const framework = await shipped.byReportType('AWS_CIS_14');
    if (!framework) throw new Error('AWS_CIS_14 is missing.');
    const checks = await shipped.checks();
    const keys = [...checks.keys()];
    expect(coverageOf(framework, checks, new Set(keys))).toEqual({
      ...{ controls: 58, automated: 56, covered: 56 },
      missing: [],
    });
    const without = new Set(keys.filter((key) => key !== 'iam_unused_key_45' && key !== 'iam_root_mfa'));
    expect(coverageOf(framework, checks, without)).toMatchObject({
      covered: 54,
      missing: ['iam_root_mfa', 'iam_unused_key_45'],
    });
  });
});
