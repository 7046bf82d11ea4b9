import type { Command } from '../command.ts';
import { operatorRequest, readJson } from '../operator-client.ts';

const rotate: Command = {
  words: ['secret-key', 'rotate'],
  positionals: [],
  options: {},
  summary: 'Encrypts every stored secret with a new key, without stopping the server.',
  async run({ context }) {
    const response = await operatorRequest(context, 'POST', '/secret-key/rotate');
    const { keyId, sealed, retired } = (await readJson(response)) as {
      keyId: string;
      sealed: number;
      retired: string[];
    };
    const note = `Older backups can still be restored: ${retired.length} retired ${retired.length === 1 ? 'key is' : 'keys are'} kept, encrypted with the new one, until \`vedette secret-key forget\`.`;
    return {
      data: { keyId, sealed, retired },
      text: `${sealed} secrets are encrypted with the new key ${keyId}. ${note}`,
    };
  },
};

const forget: Command = {
  words: ['secret-key', 'forget'],
  positionals: [],
  options: {
    yes: { type: 'boolean', description: 'confirm that older backups can no longer be restored' },
  },
  summary: 'Deletes the retired keys that are kept for backups made before a rotation.',
  async run({ options, context }) {
    const response = await operatorRequest(
      context,
      'POST',
      `/secret-key/forget${options.yes === true ? '?yes' : ''}`,
    );
    const { forgotten } = (await readJson(response)) as { forgotten: string[] };
    const text =
      forgotten.length === 0
        ? 'There are no retired keys.'
        : `Retired keys forgotten: ${forgotten.join(', ')}. Backups made before the last rotation can be restored only if they contain their key.`;
    return { data: { forgotten }, text };
  },
};

export const secretKeyCommands = [rotate, forget];
