import type { Command } from '../command.ts';
import { askServer, readJson } from '../operator.ts';

const rotate: Command = {
  words: ['secret-key', 'rotate'],
  positionals: [],
  options: {},
  summary: 'Seals every stored secret with a new key; the server goes on running.',
  async run({ desk }) {
    const answer = await askServer(desk, 'POST', '/secret-key/rotate');
    const { keyId, sealed, retired } = (await readJson(answer)) as {
      keyId: string;
      sealed: number;
      retired: string[];
    };
    const kept = `Older backups can still be restored: ${retired.length} retired ${retired.length === 1 ? 'key is' : 'keys are'} kept, sealed with the new one, until \`vedette secret-key forget\`.`;
    return {
      data: { keyId, sealed, retired },
      text: `${sealed} secrets are sealed with the new key ${keyId}. ${kept}`,
    };
  },
};

const forget: Command = {
  words: ['secret-key', 'forget'],
  positionals: [],
  options: {
    yes: { type: 'boolean', meaning: 'forget them, although older backups can not be restored any more' },
  },
  summary: 'Removes the retired keys that are kept for backups made before a rotation.',
  async run({ options, desk }) {
    const answer = await askServer(desk, 'POST', `/secret-key/forget${options.yes === true ? '?yes' : ''}`);
    const { forgotten } = (await readJson(answer)) as { forgotten: string[] };
    const text =
      forgotten.length === 0
        ? 'There are no retired keys.'
        : `Retired keys forgotten: ${forgotten.join(', ')}. Backups made before the last rotation can be restored only if they hold their key.`;
    return { data: { forgotten }, text };
  },
};

export const secretKeyCommands = [rotate, forget];
