import type { Command } from '../command.ts';
import { askServer, readJson } from '../operator.ts';

const rotate: Command = {
  words: ['secret-key', 'rotate'],
  positionals: [],
  options: {},
  summary: 'Seals every stored secret with a new key; the server goes on running.',
  async run({ desk }) {
    const answer = await askServer(desk, 'POST', '/secret-key/rotate');
    const { keyId, sealed } = (await readJson(answer)) as { keyId: string; sealed: number };
    return { data: { keyId, sealed }, text: `${sealed} secrets are sealed with the new key ${keyId}.` };
  },
};

export const secretKeyCommands = [rotate];
