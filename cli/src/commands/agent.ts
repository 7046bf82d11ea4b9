import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { optionOf, type SettingName, settings } from '@vedette/agent/configuration';
import { install, uninstall } from '@vedette/agent/install/installation';
import { readKeyFile } from '@vedette/server/identity/bootstrap';
import { authorityFile } from '@vedette/server/platform/tls';
import type { Command, Option } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { ownToken } from '../ingest/own-token.ts';
import { UsageError } from '../usage-error.ts';

const names = Object.keys(settings) as SettingName[];
const root: Option = {
  type: 'string',
  value: 'DIR',
  description: 'directory of another system, such as an image',
};

const agentInstall: Command = {
  words: ['agent', 'install'],
  positionals: [],
  options: {
    ...Object.fromEntries(
      names.map((name): [string, Option] => [
        optionOf(name),
        { type: 'string', value: 'VALUE', description: settings[name] },
      ]),
    ),
    account: {
      type: 'string',
      value: 'NAME',
      description: 'account that the new token is of; default: the first one',
    },
    root,
  },
  summary: 'Makes the agent a service of this host and starts it.',
  details: [
    'On the host of the server, --server and --token may be left out: the token named hosts is used, and made if there is none.',
  ],
  async run({ options, context }) {
    const given = Object.fromEntries(
      names.flatMap((name) => {
        const value = options[optionOf(name)];
        return typeof value === 'string' ? [[name, value]] : [];
      }),
    ) as Partial<Record<SettingName, string>>;
    const text = await install({
      settings: { ...(await defaultsOf(context, given, options.account)), ...given },
      root: options.root as string | undefined,
    });
    return { data: { message: text }, text };
  },
};

/** What the server of this host makes of settings that were not given. */
async function defaultsOf(
  context: CommandContext,
  { server, token, tokenFile }: Partial<Record<SettingName, string>>,
  account: unknown,
): Promise<Partial<Record<SettingName, string>>> {
  const hasToken = token !== undefined || tokenFile !== undefined;
  if (server !== undefined && !hasToken)
    throw new UsageError(
      '--token is missing: pass the accessToken that POST /api/v2/AgentAccessTokens of that server returns.',
    );
  if (server !== undefined) return {};
  const { dataDirectory } = context;
  const url = readKeyFile(join(dataDirectory, 'api-key.json'))?.url;
  if (!url)
    throw new UsageError(
      `${dataDirectory} has no api-key.json with the server URL: pass --server and --token.`,
    );
  const authority = authorityFile(dataDirectory);
  return {
    server: url,
    ...(existsSync(authority) && { authorityFile: authority }),
    ...(!hasToken && {
      token: await ownToken(context, {
        alias: 'hosts',
        purpose: 'agent',
        account: account as string | undefined,
      }),
    }),
  };
}

const agentUninstall: Command = {
  words: ['agent', 'uninstall'],
  positionals: [],
  options: { root },
  summary: 'Stops the agent of this host and removes it.',
  async run({ options }) {
    const text = await uninstall(options.root as string | undefined);
    return { data: { message: text }, text };
  },
};

export const agentCommands = [agentInstall, agentUninstall];
