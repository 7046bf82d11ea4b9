/** What sshd_config says of authorized keys. */
export interface SshdConfig {
  /** Patterns of files, of all users and of those that `Match` selects. */
  readonly keyFiles: readonly string[];
  readonly includes: readonly string[];
  /** Whether a program gives further keys. */
  readonly hasCommand: boolean;
}

export function parseSshdConfig(text: string): SshdConfig {
  const [keyFiles, includes] = [new Set<string>(), new Set<string>()];
  let hasCommand = false;
  for (const line of text.split('\n')) {
    const [, keyword = '', rest = ''] = /^\s*([A-Za-z]+)(?:\s*=\s*|\s+)(.*)$/.exec(line) ?? [];
    const values = valuesOf(rest);
    switch (keyword.toLowerCase()) {
      case 'authorizedkeysfile':
        for (const value of values) if (value.toLowerCase() !== 'none') keyFiles.add(value);
        break;
      case 'authorizedkeyscommand':
        hasCommand ||= values[0] !== undefined && values[0].toLowerCase() !== 'none';
        break;
      case 'include':
        for (const value of values) includes.add(value);
        break;
    }
  }
  return { keyFiles: [...keyFiles], includes: [...includes], hasCommand };
}

/** The path of a pattern for a user; relative ones are in the home. Undefined if it has unknown tokens. */
export function keyFileOf(
  pattern: string,
  { name, uid, home }: { readonly name: string; readonly uid: number; readonly home: string },
): string | undefined {
  const tokens: Readonly<Record<string, string>> = { '%': '%', h: home, u: name, U: String(uid) };
  let isKnown = true;
  const path = pattern.replace(/%(.?)/g, (_, token: string) => {
    isKnown &&= Object.hasOwn(tokens, token);
    return tokens[token] ?? '';
  });
  if (!isKnown) return undefined;
  return path.startsWith('/') ? path : `${home}/${path}`;
}

/** Values are separated by spaces, unless they are quoted. A comment ends them. */
function valuesOf(text: string): string[] {
  const values: string[] = [];
  for (const [, quoted, bare = ''] of text.matchAll(/"([^"]*)"|(\S+)/g)) {
    if (quoted === undefined && bare.startsWith('#')) break;
    values.push(quoted ?? bare);
  }
  return values;
}
