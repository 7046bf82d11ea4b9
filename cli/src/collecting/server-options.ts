import type { Option, OptionValues } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { type Destination, destinationAt } from '../ingest/destination.ts';
import { ownToken } from '../ingest/own-token.ts';

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

export function destinationOf(context: CommandContext, options: OptionValues): Promise<Destination> {
  const given = options.token ?? process.env.VEDETTE_COLLECTOR_TOKEN;
  const account = options.account as string | undefined;
  return destinationAt(context, { option: 'server', value: options.server }, () =>
    given === undefined
      ? ownToken(context, { alias: 'collector', purpose: 'collector', account })
      : String(given),
  );
}
