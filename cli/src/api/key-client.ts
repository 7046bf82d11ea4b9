import { join } from 'node:path';
import { readKeyFile } from '@vedette/server/identity/bootstrap';
import { authorityFile } from '@vedette/server/platform/tls';
import type { Invocation, Option } from '../command.ts';
import { parseServerUrl } from '../server-agent.ts';
import { UsageError } from '../usage-error.ts';
import { ApiClient } from './api-client.ts';

/** Options of every command that calls the API with an API key. */
export const keyOptions = {
  url: {
    type: 'string',
    value: 'URL',
    description: 'server URL; default: the one in api-key.json',
  },
  key: {
    type: 'string',
    value: 'FILE',
    description: 'API key file; default: api-key.json in the data directory',
  },
} as const satisfies Record<string, Option>;

/** `account` is that of the server; by default the one of the option --account. */
export function clientOf(
  { options, context }: Pick<Invocation, 'options' | 'context'>,
  account = options.account as string | undefined,
): ApiClient {
  const file = options.key ? String(options.key) : join(context.dataDirectory, 'api-key.json');
  const key = readKeyFile(file);
  if (!key?.keyId)
    throw new UsageError(
      `${file} does not exist or contains no API key: start the server once, or pass --key.`,
    );
  const url = options.url ?? key.url;
  if (!url) throw new UsageError(`${file} contains no server URL: pass --url.`);
  return new ApiClient({
    url: parseServerUrl(String(url)),
    key,
    account,
    authorityFile: authorityFile(context.dataDirectory),
  });
}
