import { join } from 'node:path';
import { readKeyFile } from '@vedette/server/identity/bootstrap';
import { authorityFile } from '@vedette/server/platform/tls';
import type { Given, Option } from '../command.ts';
import { readAddress } from '../server-agent.ts';
import { UsageError } from '../usage-error.ts';
import { ApiClient } from './api-client.ts';

/** Options of every command that uses the interface with an API key. */
export const keyOptions = {
  url: {
    type: 'string',
    value: 'URL',
    meaning: 'address of the server, instead of the one in api-key.json',
  },
  key: { type: 'string', value: 'FILE', meaning: 'file of the API key, instead of api-key.json' },
} as const satisfies Record<string, Option>;

export function clientOf({ options, desk }: Given): ApiClient {
  const file = options.key ? String(options.key) : join(desk.dataDirectory, 'api-key.json');
  const key = readKeyFile(file);
  if (!key?.keyId)
    throw new UsageError(`${file} is not there or holds no API key: start the server once, or give --key.`);
  const url = options.url ?? key.url;
  if (!url) throw new UsageError(`${file} does not say where the server is: give --url.`);
  return new ApiClient({
    url: readAddress(String(url)),
    key,
    account: options.account as string | undefined,
    authorityFile: authorityFile(desk.dataDirectory),
  });
}
