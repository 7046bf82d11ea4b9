import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readKeyFile } from '@vedette/server/identity/bootstrap';
import { authorityFile } from '@vedette/server/platform/tls';
import type { Option, OptionValues } from '../command.ts';
import type { CommandContext } from '../context.ts';
import type { Destination } from '../ingest/destination.ts';
import { isLoopback, parseServerUrl } from '../server-agent.ts';
import { UsageError } from '../usage-error.ts';
import { collectorToken } from './collector-token.ts';

/** The options of commands that send to a server. */
export const serverOptions = {
  server: {
    type: 'string',
    value: 'URL',
    description: 'server URL; default: the one in api-key.json of the data directory',
  },
  token: {
    type: 'string',
    value: 'TOKEN',
    description:
      'collector token; default: VEDETTE_COLLECTOR_TOKEN, or one that is made for the local server',
  },
  account: {
    type: 'string',
    value: 'NAME',
    description: 'account to report to, if the token is made; default: the first one',
  },
} as const satisfies Record<string, Option>;

export async function destinationOf(context: CommandContext, options: OptionValues): Promise<Destination> {
  const url = options.server ?? readKeyFile(join(context.dataDirectory, 'api-key.json'))?.url;
  if (!url)
    throw new UsageError(`${context.dataDirectory} has no api-key.json with the server URL: pass --server.`);
  const address = parseServerUrl(String(url));
  const given = options.token ?? process.env.VEDETTE_COLLECTOR_TOKEN;
  const token = given ?? (await collectorToken(context, options.account as string | undefined));
  return {
    url: address,
    token: String(token),
    authorityFile: authorityFile(context.dataDirectory),
    compress: !isLoopback(address),
    wait: setTimeout,
  };
}
