/** A code block of a document; the info string after its fence declares its kind. */
export interface Block {
  /** Path of the document. */
  readonly document: string;
  readonly line: number;
  readonly kind: Kind;
  /** A string that the output must contain. */
  readonly shows: string | undefined;
  readonly text: string;
}

/**
 * - `shell`: pasted into a shell, in the order of the documents.
 * - `server`: starts the server, which keeps running.
 * - `ci`: run by `.ci/run`.
 * - `elsewhere`: needs programs that a build host lacks, such as systemd or Docker; only its syntax is checked.
 * - `tested`: run by a test that reads the document.
 * - `output`: an example of output.
 */
export type Kind = 'shell' | 'server' | 'ci' | 'elsewhere' | 'tested' | 'output';

/** By the first two words of the info string. */
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
  'yaml workflow': 'tested',
  'text output': 'output',
  'json output': 'output',
};

const fenced = /^```([^\n]*)\n([\s\S]*?)^```$/gm;

/** All blocks of a document; an unknown kind is an error with document and line. */
export function blocksOf(document: string, markdown: string): Block[] {
  return [...markdown.matchAll(fenced)].map(([, info = '', content = ''], at, all) => {
    const index = all[at]?.index ?? 0;
    const line = markdown.slice(0, index).split('\n').length;
    const [first = '', second = ''] = info.split(' ');
    const shows = /(?:^| )shows=(\S+)/.exec(info)?.[1];
    const kind = kinds[second && !second.startsWith('shows=') ? `${first} ${second}` : first];
    if (!kind)
      throw new Error(
        `${document}:${line}: '${info}' is not a kind of code block; it is one of ${Object.keys(kinds).join(', ')}.`,
      );
    return { document, line, kind, shows, text: content };
  });
}
