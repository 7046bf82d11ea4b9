import { relative } from 'node:path';
import { readKeyFile } from './identity/bootstrap.ts';
import { type Configuration, keyFileOf } from './platform/configuration.ts';
import { formatInstant } from './platform/instant.ts';
import { authorityFile } from './platform/tls.ts';
import { version } from './platform/version.ts';

export interface ServiceState {
  /** Since when a restore holds messages and exports. */
  readonly heldSince?: number | undefined;
  /** Whether the API key in the key file works. */
  readonly isKeyAccepted: boolean;
}

/** What a person sees after the start; every line works when it is pasted. The secret stays in its file. */
export function greeting(
  configuration: Configuration,
  url: string,
  { heldSince, isKeyAccepted }: ServiceState,
): string {
  const file = shortest(keyFileOf(configuration));
  const key = readKeyFile(keyFileOf(configuration));
  const lines = [
    `Vedette ${version} is ready at ${url}`,
    `  Reference  ${url}/api/v2/docs`,
    ...(heldSince === undefined
      ? []
      : [
          `  Held       Messages and exports since the restore of ${formatInstant(heldSince)}: check the channels, then run npx vedette deliveries release`,
        ]),
  ];
  if (!key) return `${lines.join('\n')}\n  API keys   npx vedette key list\n`;
  if (!isKeyAccepted)
    return `${lines.join('\n')}\n  API keys   npx vedette key list (the key in ${file} is not one of them; npx vedette user list and npx vedette key create --user EMAIL make a new one)\n`;
  const authority = configuration.VEDETTE_TLS
    ? shortest(authorityFile(configuration.VEDETTE_DATA_DIR))
    : undefined;
  return `${[
    ...lines,
    `  API key    ${file}`,
    '',
    'Try it:',
    `  curl    curl${authority ? ` --cacert ${quoted(authority)}` : ''} ${url}/api/v2/access/tokens -H 'Content-Type: application/json' -H "X-LW-UAKS: $(${printSecret(file)})" -d '{"keyId":"${key.keyId}"}'`,
    `  CLI     ${cliLine(url, file, authority)}`,
    `  Python  ${pythonLine(url, file, key.keyId, authority)}`,
    '',
  ].join('\n')}\n`;
}

/** A profile of its own, so that one of another service stays. Configuring asks the server nothing: the list does. */
function cliLine(url: string, file: string, authority: string | undefined): string {
  const server = `${authority ? `SSL_CERT_FILE=${quoted(authority)} ` : ''}LW_API_SERVER_URL=${url} lacework`;
  const configure = `configure --noninteractive --profile vedette --json_file ${quoted(file)}`;
  return `${server} ${configure} && ${server} policy list --profile vedette`;
}

/** That SDK speaks https only and builds its host from two parts, so the host must have a dot. */
function pythonLine(url: string, file: string, keyId: string, authority: string | undefined): string {
  const { protocol, hostname: named, port } = new URL(url);
  if (protocol !== 'https:') return '# the SDK speaks https only: start with VEDETTE_TLS=self npm start';
  const hostname = named === 'localhost' ? '127.0.0.1' : named;
  if (!hostname.includes('.'))
    return `# the SDK needs a host name with a dot, not ${named}: set VEDETTE_PUBLIC_URL`;
  const [first, ...rest] = hostname.split('.');
  const trust = authority ? `REQUESTS_CA_BUNDLE=${quoted(authority)} ` : '';
  const address = `LW_ACCOUNT=${first} LW_BASE_DOMAIN=${rest.join('.')}${port ? `:${port}` : ''}`;
  const key = `LW_API_KEY=${keyId} LW_API_SECRET="$(${printSecret(file)})"`;
  const program = 'from laceworksdk import LaceworkClient; print(LaceworkClient().user_profile.get())';
  return `${trust}${address} ${key} python3 -c ${quoted(program)}`;
}

function printSecret(file: string): string {
  return `node -p ${quoted(`JSON.parse(fs.readFileSync(${JSON.stringify(file)})).secret`)}`;
}

/** The lines are there to be copied into a shell, also when the path holds a space. */
function quoted(text: string): string {
  return /^[\w./@:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function shortest(path: string): string {
  const fromHere = relative('', path);
  return fromHere.startsWith('..') ? path : fromHere;
}
