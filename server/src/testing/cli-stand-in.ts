import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Replaces the Go CLI, which tests can not install: accepts the commands that the greeting prints, with the CLI's rules
 * for key files, profiles, the server URL and certificates. Returns the folder to add to PATH.
 */
export function installCliStandIn(directory: string): string {
  const folder = join(directory, 'bin');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'lacework');
  writeFileSync(file, `#!${process.execPath}\n${program}`);
  chmodSync(file, 0o755);
  return folder;
}

const program = String.raw`
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { request } = require(process.env.LW_API_SERVER_URL?.startsWith('http:') ? 'node:http' : 'node:https');
const words = process.argv.slice(2);
const option = (name) => (words.includes(name) ? words[words.indexOf(name) + 1] : undefined);
const fail = (message) => { process.stderr.write('ERROR ' + message + '\n'); process.exit(1); };
const config = process.env.HOME + '/.lacework.toml';
const profiles = existsSync(config) ? JSON.parse(readFileSync(config, 'utf8')) : {};
const profile = option('--profile') ?? 'default';

function accountOf(domain) {
  const segments = domain.replace(/https?:\/\//, '').split(/\.lacework\.net.*/);
  if (segments.length < 2) fail('unable to load keys from the provided json file: domain not supported');
  if (segments[0].split('.').length > 3) fail('unable to detect domain information');
  return segments[0];
}

function configure() {
  if (!words.includes('--noninteractive')) fail('this stand-in answers no prompts');
  const { keyId, secret, account } = JSON.parse(readFileSync(option('--json_file'), 'utf8'));
  if (keyId.length < 34) fail('the API access key id must have more than 34 characters');
  if (secret.length < 30) fail('the API secret access key must have more than 30 characters');
  profiles[profile] = { account: accountOf(account), keyId, secret };
  writeFileSync(config, JSON.stringify(profiles));
  process.stdout.write('You are all set!\n');
}

function send(method, path, headers, body) {
  const { account } = profiles[profile];
  const url = new URL(path, process.env.LW_API_SERVER_URL ?? 'https://' + account + '.lacework.net');
  const ca = process.env.SSL_CERT_FILE && readFileSync(process.env.SSL_CERT_FILE);
  return new Promise((resolve) => {
    const sent = request(url, { method, ca, headers: { accept: 'application/json', ...headers } }, (response) => {
      let json = '';
      response.on('data', (chunk) => { json += chunk; }).on('end', () => resolve(JSON.parse(json)));
    });
    sent.on('error', (error) => fail(error.message)).end(body && JSON.stringify(body));
  });
}

async function listPolicies() {
  if (!profiles[profile]) fail('The profile ' + profile + ' could not be found.');
  const { keyId, secret } = profiles[profile];
  const json = { 'content-type': 'application/json', 'X-LW-UAKS': secret };
  const { token } = await send('POST', '/api/v2/access/tokens', json, { keyId, expiryTime: 3600 });
  const { data } = await send('GET', '/api/v2/Policies', { Authorization: token });
  for (const { policyId, title } of data) process.stdout.write(policyId + ' ' + title + '\n');
}

if (words[0] === 'configure') configure();
else if (words.slice(0, 2).join(' ') === 'policy list') listPolicies();
else fail('unknown command ' + words.join(' '));
`;
