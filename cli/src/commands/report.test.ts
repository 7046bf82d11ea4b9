import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { awsAccount, collectedAccount, evaluated } from '@vedette/server/testing/posture';
import { TestService } from '@vedette/server/testing/service';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Program } from '../program.sample.ts';

vi.setConfig({ testTimeout: 300_000 });

let service: TestService;
let program: Program;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  program = new Program(service.place);
  await collectedAccount(service);
  await evaluated(service, await service.token(), 'NonCompliant');
}, 120_000);
afterAll(() => service.stop());

const url = () => ['--url', service.url];
const run = (line: string) => program.run([...line.split(' '), ...url()]);
const errorOf = (line: string) => program.errorOutput([...line.split(' '), ...url()]);
const written = (name: string) => readFileSync(join(service.place.directory, name));
const cis = `report AWS_CIS_14 --account ${awsAccount}`;

describe('vedette report', () => {
  test.each([
    ['report.pdf', '%PDF-'],
    ['report.html', '<!DOCTYPE html>'],
    ['report.csv', ''],
    ['report.json', '{"data":['],
    ['report', '%PDF-'],
  ])('writes %s in the format of its extension, and the score to standard error', async (name, start) => {
    const { code, stdout, stderr } = await run(`${cis} -o ${name}`);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(
      /^CIS Amazon Web Services Foundations Benchmark v1\.4\.0, evaluated \S+Z\nScore \d+ %: \d+ compliant, \d+ non-compliant \(.*\d medium\), 0 suppressed, \d+ manual or not assessed\.\n$/,
    );
    expect(written(name).toString('latin1').startsWith(start)).toBe(true);
    expect(written(name).length).toBeGreaterThan(500);
  });

  test('replaces a file as a whole, or leaves it as it is', async () => {
    writeFileSync(join(service.place.directory, 'old.csv'), 'old');
    await errorOf('report AWS_CIS_14 --account 000000000000 -o old.csv');
    expect(written('old.csv').toString()).toBe('old');
    expect((await run(`${cis} -o old.csv`)).code).toBe(0);
    expect(written('old.csv').toString()).toContain('MinimumPasswordLengthTooShort');
    expect(readdirSync(service.place.directory).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('writes to standard output, in the format of --format', async () => {
    const { code, stdout } = await run(`${cis} -o - --format json`);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).data[0].accountId).toBe(awsAccount);
    const { stdout: result } = await run(`${cis} --output score.html --json`);
    expect(JSON.parse(result)).toMatchObject({
      file: 'score.html',
      format: 'html',
      score: expect.any(Number),
    });
  });

  test('finds a framework by its title', async () => {
    const title = 'CIS Amazon Web Services Foundations Benchmark v1.4.0';
    const words = [
      'report',
      '--name',
      title,
      '--account',
      awsAccount,
      '-o',
      '-',
      '--format',
      'csv',
      ...url(),
    ];
    expect((await program.run(words)).stdout).toContain('MinimumPasswordLengthTooShort');
  });

  test.each([
    [
      'report AWS_CIS_14 --account 000000000000 -o x.pdf',
      'Nothing is stored about 000000000000: check --account',
    ],
    [
      'report AWS_CIS_15 --account 1 -o x.pdf',
      "reportType 'AWS_CIS_15' does not exist. Did you mean AWS_CIS_14",
    ],
    // The server asks for the subscription in another parameter.
    ['report AZURE_CIS_1_5 --account s-1 -o x.pdf', 'Nothing is stored about s-1: check --account'],
    [
      'report AZURE_CIS_1_5 --account s-1 --parent t -o x.pdf',
      'Nothing is stored about s-1: check --account',
    ],
    [`${cis} -o x.docx --format docx`, "--format must be one of pdf, html, csv, json, not 'docx'."],
    ['report --account 1 -o x.pdf', 'Pass the report type, such as AWS_CIS_14'],
    [cis, '--output is required. Usage: vedette report [TYPE] --account ID -o|--output FILE'],
    [`${cis} -o no/such/x.pdf`, 'no/such/x.pdf can not be written: ENOENT'],
    [`${cis} -o x.pdf --vedette-account nowhere`, 'Invalid Account'],
  ])('refuses %s', async (line, message) => {
    expect(await errorOf(line)).toContain(message);
    expect(readdirSync(service.place.directory)).not.toContain('x.pdf');
  });
});
