import { corpus } from './corpus.sample.ts';

/** A fast seeded random generator. */
function seededRandom(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const vocabulary = [
  ...'source filter return distinct with on as and or not in like ilike rlike any between is null json'.split(
    ' ',
  ),
  ...'case when then else end true false union all select where type limit array_to_rows value_exists'.split(
    ' ',
  ),
  ..."= <> != < <= > >= + - * / % : :: . , ( ) { } [ ] ; || == && ! ${ << -- // /* */ ' \" s' \\ ` ? #".split(
    ' ',
  ),
  ...["'x'", '"y"', "s'z'", '1', '2.5', 'A', 'b', '_c', '\n', '\u0000', '\ud83d', 'é', '“', '\u2028'],
];

/** A deterministic input per seed: characters, shuffled tokens, or mutated queries. */
export function anyInput(seed: number): string {
  const pick = seededRandom(seed);
  const token = () => vocabulary[pick(vocabulary.length)] as string;
  const kind = pick(4);
  if (kind === 0) {
    return Array.from({ length: pick(60) }, () => String.fromCharCode(pick(pick(2) ? 128 : 65_536))).join('');
  }
  if (kind === 1) return Array.from({ length: pick(60) }, () => token() + (pick(3) ? ' ' : '')).join('');
  let { text } = corpus[pick(corpus.length)] as { text: string };
  for (let edits = pick(4) + 1; edits > 0; edits--) {
    const [at, length] = [pick(text.length + 1), pick(3) ? pick(4) : pick(40)];
    const inserted = [token(), ` ${token()} `, text.slice(pick(text.length + 1)).slice(0, pick(60)), ''][
      pick(4)
    ];
    text = text.slice(0, at) + inserted + text.slice(at + length);
  }
  return text;
}
