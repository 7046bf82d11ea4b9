import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { blocksOf } from './blocks.ts';
import { allBlocks } from './documents.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const blocks = allBlocks(root);
const isShell = (kind: string) => ['shell', 'server', 'ci', 'elsewhere'].includes(kind);

describe('the code blocks of README and docs', () => {
  test('all have a known kind', () => {
    expect(blocks.length).toBeGreaterThan(50);
    expect(() => blocksOf('page.md', '# Page\n\n```sh later\nls\n```\n')).toThrow(
      "page.md:3: 'sh later' is not a kind of code block",
    );
  });

  test('contain one server start, the CI test run and many commands', () => {
    const ofReadme = blocks.filter(({ document }) => document === 'README.md');
    expect(ofReadme.filter(({ kind }) => kind === 'server')).toMatchObject([
      { text: 'npm ci && npm start\n' },
    ]);
    const ci = readFileSync(join(root, '.ci/run'), 'utf8').split('\n');
    for (const { text } of blocks.filter(({ kind }) => kind === 'ci')) expect(ci).toContain(text.trimEnd());
    expect(blocks.filter(({ kind }) => kind === 'shell').length).toBeGreaterThan(10);
  });

  test.each(
    blocks.filter(({ kind }) => isShell(kind)).map((block) => [`${block.document}:${block.line}`, block]),
  )('%s can be pasted: it is valid shell without placeholders', (_place, { text }) => {
    execFileSync('bash', ['-n'], { input: text });
    expect(text).not.toMatch(/\bURL\b|<[a-z-]+>|…/);
  });

  test('use only variables that an earlier block of the document sets', () => {
    const wrong: string[] = [];
    const known = new Map<string, Set<string>>();
    for (const { document, line, kind, text } of blocks) {
      if (!isShell(kind)) continue;
      const set = known.get(document) ?? new Set(['HOME', 'PATH', 'PWD', 'USER']);
      known.set(document, set);
      for (const [, name = ''] of text.matchAll(/\b([A-Z][A-Z_]+)=/g)) set.add(name);
      for (const [, name = ''] of text.matchAll(/\$\{?([A-Z][A-Z_]+)/g))
        if (!set.has(name)) wrong.push(`${document}:${line}: $${name}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe('docs/own-policy.md', () => {
  const page = blocks.filter(({ document }) => document === 'docs/own-policy.md');

  /** The body of the call `api PATH -d '…'`, after shell expansion. */
  function bodyOf(path: string): Record<string, unknown> {
    const text = page.find((block) => block.text.includes(`api ${path} -d '`))?.text ?? '';
    const call = `api() { printf %s "$3"; }\n${text.slice(text.indexOf(`api ${path} -d '`))}`;
    return JSON.parse(execFileSync('bash', ['-e'], { input: call, encoding: 'utf8' }));
  }

  test('creates the same query and policy with Terraform as with curl', () => {
    const hcl = page.find(({ text }) => text.startsWith('resource '))?.text ?? '';
    const strings = Object.fromEntries(
      [...hcl.matchAll(/^ *(\w+) += ("(?:[^"\\]|\\.)*")$/gm)].map(([, name, value]) => [
        name,
        JSON.parse(value as string),
      ]),
    );
    const [checked, query, policy] = ['Queries/validate', 'Queries', 'Policies'].map(bodyOf);
    expect(query?.queryText).toContain('LW_HA_DNS_REQUESTS');
    expect(checked).toEqual({ queryText: query?.queryText });
    expect(policy).toEqual({
      policyType: strings.type,
      queryId: query?.queryId,
      title: strings.title,
      description: strings.description,
      remediation: strings.remediation,
      // The provider capitalizes severities.
      severity: strings.severity.toLowerCase(),
      enabled: /^ {2}enabled += true$/m.test(hcl),
      alertEnabled: /^ {4}enabled += true$/m.test(hcl),
      alertProfile: strings.profile,
    });
    expect(query).toEqual({ queryId: strings.query_id, queryText: strings.query });
    expect(hcl).toContain('query_id    = lacework_query.blocked_domain.id\n');
  });
});

test('the shipped diffs of CONTRIBUTING match the code', () => {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const diffs = [...text.matchAll(/^```diff shipped\n([\s\S]*?)^```$/gm)].map(([, diff = '']) => diff);
  const files = diffs.flatMap((diff) => diff.split(/^\+\+\+ /m).slice(1));
  expect(files.length).toBeGreaterThan(9);
  for (const file of files) {
    const [path = '', ...lines] = file.trimEnd().split('\n');
    const shipped = readFileSync(join(root, path), 'utf8').split('\n');
    let at = 0;
    for (const line of lines) {
      expect(line).toMatch(/^\+/);
      at = shipped.indexOf(line.slice(1), at) + 1;
      expect(at, `${path}: ${line}`).toBeGreaterThan(0);
    }
  }
});
