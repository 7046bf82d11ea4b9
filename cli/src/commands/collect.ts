import { collectTargets } from '../collecting/collect-targets.ts';
import { localClouds, shareOption } from '../collecting/local-clouds.ts';
import { serverOptions } from '../collecting/server-options.ts';
import type { Command } from '../command.ts';

export const collectCommands: readonly Command[] = localClouds.map((local) => ({
  words: ['collect', local.cloud],
  positionals: [],
  options: {
    ...local.options,
    ...serverOptions,
    to: {
      type: 'string',
      value: 'FILE',
      description:
        'write to this file instead of sending to a server, for check --from; compressed if it ends in .gz',
    },
    share: shareOption,
  },
  summary: `Reads ${local.noun} with your own credentials and sends them to the server.`,
  run: (invocation) => collectTargets(local, invocation),
}));
