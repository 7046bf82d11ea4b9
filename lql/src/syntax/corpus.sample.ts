import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Problem } from '../text/problem.ts';

/** A query of lql/corpus; its README documents the members. */
export interface Sample {
  readonly id: string;
  readonly file: string;
  readonly text: string;
  readonly fails: Problem['stage'] | undefined;
  readonly at: string | undefined;
  readonly says: string | undefined;
  readonly fixed: boolean;
}

const folder = fileURLToPath(new URL('../../corpus', import.meta.url));

function readSample(file: string, entry: string): Sample {
  const [, head = '', text = ''] = /^((?:--- .*\n)+)([\s\S]*)$/.exec(entry) ?? [];
  const header = new Map(
    head.split('\n').map((line) => {
      const [name = '', ...words] = line.replace(/^--- /, '').split(': ');
      return [name, words.join(': ')] as const;
    }),
  );
  return {
    id: header.get('id') ?? '',
    file,
    text: text.trimEnd(),
    fails: header.get('fails') as Problem['stage'] | undefined,
    at: header.get('at'),
    says: header.get('says'),
    fixed: header.get('fixed') === 'yes',
  };
}

export const corpus: readonly Sample[] = readdirSync(folder)
  .filter((file) => file.endsWith('.lql'))
  .flatMap((file) => {
    const entries = readFileSync(join(folder, file), 'utf8').split(/^(?=--- id: )/m);
    return entries.map((entry) => readSample(file, entry));
  });
