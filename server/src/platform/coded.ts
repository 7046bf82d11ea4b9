import { type TInteger, Type } from 'typebox';

/** An `x-…` extension, because the OpenAPI document includes it. */
const mark = 'x-meanings';

type Meanings = Readonly<Record<number, string>>;

/** Consecutive integer codes; error messages and the documentation show the meaning of each. */
export function coded(meanings: Meanings, description: string): TInteger {
  const numbers = Object.keys(meanings).map(Number);
  const list = Object.entries(meanings).map(([number, meaning]) => `${number} (${meaning})`);
  return Type.Integer({
    minimum: Math.min(...numbers),
    maximum: Math.max(...numbers),
    [mark]: meanings,
    description: `${description} ${list.join(', ')}.`,
  });
}

export const disabledOrEnabled: Meanings = { 0: 'disabled', 1: 'enabled' };

/** The range of a coded member, such as `0 (Other) to 5 (Expected behavior)`; undefined for other schemas. */
export function codesOf(schema: unknown): string | undefined {
  const meanings = (schema as { [mark]?: Meanings } | undefined)?.[mark];
  if (!meanings) return undefined;
  const all = Object.entries(meanings).map(([number, meaning]) => `${number} (${meaning})`);
  return `${all[0]} ${all.length > 2 ? 'to' : 'or'} ${all.at(-1)}`;
}
