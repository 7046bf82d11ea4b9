import { readKeyFile } from './identity/bootstrap.ts';
import { type Configuration, keyFileOf } from './platform/configuration.ts';
import { formatInstant } from './platform/instant.ts';
import { authorityFile } from './platform/tls.ts';
import { version } from './platform/version.ts';
import { shortPath } from './short-path.ts';

export interface ServiceState {
  /** Time of the restore that put messages and exports on hold. */
  readonly heldSince?: number | undefined;
  /** Whether the API key in the key file is valid. */
  readonly isKeyAccepted: boolean;
  /** How the first user signs in to the console; absent if users can. */
  readonly signIn?: string | undefined;
  /** Why this host is not reported by an agent of the server. */
  readonly host?: string | undefined;
}

/** The message after the start. Its commands can be pasted into a shell and do not contain the secret. */
export function greeting(
  configuration: Configuration,
  url: string,
  { heldSince, isKeyAccepted, signIn, host }: ServiceState,
): string {
  const file = shortPath(keyFileOf(configuration));
  const key = readKeyFile(keyFileOf(configuration));
  const lines = [
    `Vedette ${version} is ready at ${url}`,
    ...(signIn === undefined ? [] : [`  Sign in    ${signIn}`]),
    `  Reference  ${url}/api/v2/docs`,
    `  This host  ${host ?? 'reported by its own agent; VEDETTE_LOCAL_AGENT=off turns it off'}`,
    ...(heldSince === undefined
      ? []
      : [
          `  Held       Messages and exports since the restore of ${formatInstant(heldSince)}: check the channels, then run npx vedette deliveries release`,
        ]),
  ];
  if (!key) return `${lines.join('\n')}\n  API keys   npx vedette key list\n`;
  if (!isKeyAccepted)
    return `${lines.join('\n')}\n  API keys   npx vedette key list (the key in ${file} is not valid here; npx vedette user list and npx vedette key create --user EMAIL create a new one)\n`;
  const authority = configuration.VEDETTE_TLS
    ? shortPath(authorityFile(configuration.VEDETTE_DATA_DIR))
    : undefined;
  return `${[
    ...lines,
    `  API key    ${file}`,
    '',
    'Try it:',
    `  curl    curl${authority ? ` --cacert ${shellQuoted(authority)}` : ''} ${url}/api/v2/access/tokens -H 'Content-Type: application/json' -H "X-LW-UAKS: $(${printSecret(file)})" -d '{"keyId":"${key.keyId}"}'`,
    `  CLI     ${cliLine(url, file, authority)}`,
    `  Python  ${pythonLine(url, file, key.keyId, authority)}`,
    '',
  ].join('\n')}\n`;
}

/** Uses a separate CLI profile to keep existing ones. `configure` does not contact the server, `policy list` does. */
function cliLine(url: string, file: string, authority: string | undefined): string {
  const server = `${authority ? `SSL_CERT_FILE=${shellQuoted(authority)} ` : ''}LW_API_SERVER_URL=${url} lacework`;
  const configure = `configure --noninteractive --profile vedette --json_file ${shellQuoted(file)}`;
  return `${server} ${configure} && ${server} policy list --profile vedette`;
}

/** The SDK supports HTTPS only and joins the host name from two settings with a dot. */
function pythonLine(url: string, file: string, keyId: string, authority: string | undefined): string {
  const { protocol, hostname: publicHost, port } = new URL(url);
  if (protocol !== 'https:') return '# the SDK requires HTTPS: start with VEDETTE_TLS=self npm start';
  const hostname = publicHost === 'localhost' ? '127.0.0.1' : publicHost;
  if (!hostname.includes('.'))
    return `# the SDK needs a host name with a dot, not ${publicHost}: set VEDETTE_PUBLIC_URL`;
  const [first, ...rest] = hostname.split('.');
  const trust = authority ? `REQUESTS_CA_BUNDLE=${shellQuoted(authority)} ` : '';
  const address = `LW_ACCOUNT=${first} LW_BASE_DOMAIN=${rest.join('.')}${port ? `:${port}` : ''}`;
  const key = `LW_API_KEY=${keyId} LW_API_SECRET="$(${printSecret(file)})"`;
  const program = 'from laceworksdk import LaceworkClient; print(LaceworkClient().user_profile.get())';
  return `${trust}${address} ${key} python3 -c ${shellQuoted(program)}`;
}

function printSecret(file: string): string {
  return `node -p ${shellQuoted(`JSON.parse(fs.readFileSync(${JSON.stringify(file)})).secret`)}`;
}

/** Quotes a shell argument, such as a path with a space. */
function shellQuoted(text: string): string {
  return /^[\w./@:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
