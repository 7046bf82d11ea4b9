/** A code block of a document, as the words after its fence declare it. */
export interface Block {
  /** The document, as people link to it. */
  readonly document: string;
  readonly line: number;
  readonly kind: Kind;
  /** What the output must contain. */
  readonly shows: string | undefined;
  readonly text: string;
}

/**
 * - `shell`: pasted into a shell, in the order of the documents.
 * - `server`: starts the server, which goes on running.
 * - `ci`: what `.ci/run` runs itself.
 * - `elsewhere`: needs what a build machine lacks, such as systemd or Docker; only its syntax is checked.
 * - `tested`: run by a test that reads the document.
 * - `output`: an example of output.
 */
export type Kind = 'shell' | 'server' | 'ci' | 'elsewhere' | 'tested' | 'output';

/** By the first word after the fence and the next. */
const kinds: Readonly<Record<string, Kind>> = {
  sh: 'shell',
  'sh server': 'server',
  'sh ci': 'ci',
  'sh elsewhere': 'elsewhere',
  lql: 'tested',
  'lql error': 'tested',
  'lql warning': 'tested',
  'lql policy': 'tested',
  'yaml case': 'tested',
  'hcl policy': 'tested',
  'text output': 'output',
  'json output': 'output',
};

const fenced = /^```([^\n]*)\n([\s\S]*?)^```$/gm;

/** All blocks of a document; a block that declares nothing that is known is an error that says where. */
export function blocksOf(document: string, text: string): Block[] {
  return [...text.matchAll(fenced)].map(([, words = '', content = ''], at, all) => {
    const index = all[at]?.index ?? 0;
    const line = text.slice(0, index).split('\n').length;
    const [first = '', second = ''] = words.split(' ');
    const shows = /(?:^| )shows=(\S+)/.exec(words)?.[1];
    const kind = kinds[second && !second.startsWith('shows=') ? `${first} ${second}` : first];
    if (!kind)
      throw new Error(
        `${document}:${line}: '${words}' is not a kind of code block; it is one of ${Object.keys(kinds).join(', ')}.`,
      );
    return { document, line, kind, shows, text: content };
  });
}
