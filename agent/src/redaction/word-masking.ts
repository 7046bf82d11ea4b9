import { mask, type ProgramOption, programOptions, schemes } from './rules.ts';
import { isSecretAssignment, isSecretHeader, isSecretOption } from './secret-name.ts';

/** What the next word is. */
type Expected = 'secret' | 'credentials' | { readonly after: string };

/** What `sshpass` runs, whose `-p` is a port. */
const remoteShells = /^(?:ssh|scp|sftp|rsync)$/;

/** How the text within a word is masked that is no secret as a whole. */
export type MaskWithin = (word: string, isScript: boolean) => string;

/** Masks the words of a command line that are secrets because of the words before them, or of the name they begin with. */
export class WordMasking {
  readonly #within: MaskWithin;
  #expected: Expected | undefined;
  #options: readonly ProgramOption[] = [];
  #command: string | undefined;
  #last = '';

  constructor(within: MaskWithin) {
    this.#within = within;
  }

  next(word: string): string {
    const expected = this.#expected;
    this.#expected = undefined;
    const before = this.#last;
    this.#last = word;
    if (expected !== undefined) return this.#masked(word, expected);
    const bare = /^["']/.test(word) ? word.slice(1).replace(/["']$/, '') : word;
    this.#follow(bare);
    const ofProgram = this.#ofProgram(word);
    if (ofProgram !== undefined) return ofProgram;
    if (/^(?:--?|\/)[A-Za-z][\w.-]*$/.test(bare) && isSecretOption(bare)) this.#expected = 'secret';
    else if (/^[A-Za-z][\w-]*:$/.test(bare) && isSecretHeader(bare.slice(0, -1)))
      this.#expected = 'credentials';
    // What a shell is to run begins with assignments, too, but goes on after them.
    const isScript = /^-[a-z]*c$/.test(before);
    return (isScript && /\s/.test(word) ? undefined : named(word)) ?? this.#within(word, isScript);
  }

  #masked(word: string, expected: Expected): string {
    if (expected === 'secret') return mask;
    if (expected === 'credentials') {
      if (!schemes.test(word)) return mask;
      this.#expected = 'secret';
      return word;
    }
    return maskedAfter(word, expected.after);
  }

  #follow(word: string): void {
    const name = word.slice(word.lastIndexOf('/') + 1);
    const options = programOptions.filter(({ program }) => program.test(name));
    if (options.length > 0) {
      this.#options = options;
      this.#command = undefined;
    } else if (/^(?:[;|&]+|.*;)$/.test(word) || remoteShells.test(name)) this.#options = [];
    else if (!word.startsWith('-')) this.#command ??= word;
  }

  #ofProgram(word: string): string | undefined {
    for (const { option, value, after, command } of this.#options) {
      const found = option.exec(word)?.[0];
      if (found === undefined || (command !== undefined && command !== this.#command)) continue;
      const rest = word.slice(found.length);
      if (rest !== '' && value !== 'next')
        return found + (after === undefined ? mask : maskedAfter(rest, after));
      if (rest === '' && value !== 'same') {
        this.#expected = after === undefined ? 'secret' : { after };
        return word;
      }
    }
    return undefined;
  }
}

function maskedAfter(word: string, separator: string): string {
  const at = word.indexOf(separator);
  return at === -1 ? word : word.slice(0, at + 1) + mask;
}

/** A word that is an assignment or a header: `--password=X`, `'X-Api-Key: X'`. Its value reaches to the end of the word. */
function named(word: string): string | undefined {
  const found = /^(["']?)([-/]{0,2}[A-Za-z_][\w.-]*)(=|:\s*)(?=[\s\S])/.exec(word);
  if (!found || found[0].length === word.length) return undefined;
  const [begin, quote = '', name = '', separator = ''] = found;
  const isSecret = separator === '=' ? isSecretAssignment(name) : isSecretHeader(name);
  // The path of a URL is no value: `token://`.
  if (!isSecret || word.startsWith('//', begin.length)) return undefined;
  return begin + mask + (quote !== '' && word.endsWith(quote) && word.length > 1 ? quote : '');
}
