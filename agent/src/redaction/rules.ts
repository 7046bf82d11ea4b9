/** What replaces a secret. */
export const mask = '***';

/** Words at the end of a name whose value is a secret: `--password X`, `DB_PASSWORD=X`, `"apiToken": "X"`. */
export const secretNames =
  /(?:passw(?:or)?d|passphrase|passcode|pass|pwd|secret|token|credentials?|signature|api-?key|(?:access|secret|private|auth|account|encryption|shared|master|license|session)-?key)-?\d{0,3}$/;

/** Words anywhere in a name that make an assigned value a secret: `SECRET_KEY_BASE=X`. */
export const secretParts = /passw|passphrase|secret|credential/;

/** Names of assignments, `SIGNING_KEY=X`, beside those of any value. The value of `--key X` is more often a file. */
export const secretAssignments = /key$/;

/** Names that end so hold a file, a name or a number, not the secret itself: `--password-file X`. */
export const harmlessNames =
  /-(?:file|path|dir|name|type|length|policy|ttl|expiry|timeout|version|enabled|provider)$/;

/** Headers with credentials, whose value may have several words. */
export const secretHeaders = /^(?:proxy-)?authorization$|^(?:set-)?cookie$|^x-.*(?:token|key|secret)$/;

/** Words before the credentials of an `Authorization` header. */
export const schemes =
  /^(?:basic|bearer|digest|token|apikey|negotiate|ntlm|aws4-hmac-sha256|sharedkey|splunk)$/i;

export interface ProgramOption {
  /** The name of the program, without its directory. */
  readonly program: RegExp;
  readonly option: RegExp;
  /** The value is in the same word, `-pX`, in the next one, `-p X`, or in either. */
  readonly value: 'same' | 'next' | 'either';
  /** Only after this word: `docker login`. */
  readonly command?: string;
  /** The value is `user:password`, of which the user is kept. */
  readonly after?: string;
}

/** Short options that are secrets in some programs and something else in others. */
export const programOptions: readonly ProgramOption[] = [
  { program: /^(?:mysql|mariadb)/, option: /^-p/, value: 'same' },
  { program: /^sshpass$/, option: /^-p/, value: 'either' },
  {
    program: /^(?:docker|podman|nerdctl|helm|az|oc|skopeo|buildah)$/,
    option: /^-p/,
    value: 'either',
    command: 'login',
  },
  { program: /^mongo/, option: /^-p/, value: 'either' },
  { program: /^(?:redis-cli|valkey-cli)$/, option: /^-a/, value: 'either' },
  { program: /^ldap/, option: /^-w/, value: 'either' },
  { program: /^(?:sqlcmd|bcp|ipmitool|zip|unzip)$/, option: /^-P/, value: 'either' },
  { program: /^(?:7z|7za|7zr|rar|unrar)$/, option: /^-(?:h?p)/, value: 'same' },
  { program: /^openssl$/, option: /^-(?:k|K|pass|passin|passout)$/, value: 'next' },
  { program: /^snmp/, option: /^-(?:A|X|c)/, value: 'either' },
  { program: /^(?:xfreerdp|wlfreerdp)/, option: /^\/p:/, value: 'same' },
  { program: /^curl$/, option: /^(?:-[A-Za-z]{0,20}[uU]|--user|--proxy-user)$/, value: 'next', after: ':' },
  { program: /^curl$/, option: /^(?:-[uU]|--(?:proxy-)?user=)/, value: 'same', after: ':' },
  { program: /^https?$/, option: /^(?:-a|--auth)$/, value: 'next', after: ':' },
  { program: /^(?:smbclient|rpcclient|net|wmic)$/, option: /^-U/, value: 'either', after: '%' },
];

export interface Pattern {
  readonly secret: string;
  /** Each attempt ends after a bounded number of characters, or consumes what it has read: linear time. */
  readonly pattern: RegExp;
  readonly replacement: string;
  /** Where the pattern alone also finds what is no secret. */
  readonly isSecret?: (found: string) => boolean;
}

/** Secrets that are recognized by their form, wherever they are. */
export const patterns: readonly Pattern[] = [
  {
    secret: 'private key in PEM form',
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----END)[\s\S])*(?:-----END [A-Z0-9 ]{0,60}-----)?/g,
    replacement: mask,
  },
  {
    secret: 'password in a URL',
    pattern: /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@"'`]{0,256}):[^\s/"'`]{0,1024}@/gi,
    replacement: `$1:${mask}@`,
  },
  {
    secret: 'bearer token',
    pattern: /(?<![A-Za-z0-9])(bearer)(\s{1,9})[^\s"'`,;]+/gi,
    replacement: `$1$2${mask}`,
  },
  {
    secret: 'JSON web token, also a truncated one',
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,4}/g,
    replacement: mask,
  },
  {
    secret: 'AWS access key id',
    pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
    replacement: mask,
  },
  {
    secret: 'AWS secret access key',
    pattern: /(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g,
    replacement: mask,
    // Hashes have no capitals, and paths rarely all three.
    isSecret: (found) => /[a-z]/.test(found) && /[A-Z]/.test(found) && /\d/.test(found),
  },
  {
    secret: 'GitHub or GitLab token',
    pattern: /(?<![A-Za-z0-9])(?:gh[pousr]_|github_pat_|glpat-|gldt-|glrt-)[A-Za-z0-9_-]{10,}/g,
    replacement: mask,
  },
  {
    secret: 'Slack token',
    pattern: /(?<![A-Za-z0-9])(?:xox[a-z]|xapp)-[A-Za-z0-9-]{8,}/g,
    replacement: mask,
  },
  {
    secret: 'Slack webhook',
    pattern: /(hooks\.slack\.com\/(?:services|workflows)\/)[A-Za-z0-9_/-]+/g,
    replacement: `$1${mask}`,
  },
  {
    secret: 'Google API key, OAuth token or client secret',
    pattern:
      /(?<![A-Za-z0-9])(?:AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_.-]{10,}|GOCSPX-[A-Za-z0-9_-]{10,})/g,
    replacement: mask,
  },
  {
    secret: 'token of npm, PyPI, Stripe, SendGrid, Hugging Face, DigitalOcean, HashiCorp Vault or OpenAI',
    pattern:
      /(?<![A-Za-z0-9])(?:npm_|pypi-|[sr]k_(?:live|test)_|SG\.|hf_|do[opr]_v1_|hv[sbr]\.|sk-)[A-Za-z0-9_.-]{16,}/g,
    replacement: mask,
  },
];
