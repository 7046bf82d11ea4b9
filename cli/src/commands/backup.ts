import { once } from 'node:events';
import { createReadStream, createWriteStream, renameSync, rmSync, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Command } from '../command.ts';
import { askServer, progress, readJson } from '../operator.ts';
import { UsageError } from '../usage-error.ts';

const backup: Command = {
  words: ['backup'],
  positionals: ['FILE'],
  options: {
    'with-key': {
      type: 'boolean',
      meaning: 'put the key that opens sealed secrets into the archive too: guard the file',
    },
  },
  summary: 'Writes everything the running server keeps into an archive.',
  async run({ positionals: [file = ''], options, desk }) {
    const withKey = options['with-key'] === true;
    const answer = await askServer(desk, withKey ? '/backup?with-key' : '/backup');
    // Under another name until it is whole, so that nobody takes a torn archive for a backup.
    const draft = `${file}.partial`;
    try {
      await pipeline(answer, progress('backup'), createWriteStream(draft, { mode: 0o600 }));
      renameSync(draft, file);
    } catch (error) {
      rmSync(draft, { force: true });
      throw new UsageError(`${file} was not written: ${(error as Error).message}.`);
    }
    const { size } = statSync(file);
    const note = withKey ? 'It holds the secret key: guard it.' : 'It does not hold the secret key.';
    return {
      data: { file, bytes: size, withKey },
      text: `${file} holds the backup (${size} bytes). ${note}`,
    };
  },
};

const restore: Command = {
  words: ['restore'],
  positionals: ['FILE'],
  options: {},
  summary: 'Replaces everything the running server keeps with an archive.',
  async run({ positionals: [file = ''], desk }) {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile())
      throw new UsageError(`There is no file ${file}: name one that \`vedette backup\` wrote.`);
    const archive = createReadStream(file);
    // Opened before the server is asked, so that a file that can not be read is not taken for a server that fails.
    await once(archive, 'open').catch((error: Error) => {
      throw new UsageError(`${file} can not be read: ${error.message}.`);
    });
    const answer = await askServer(desk, '/restore', archive, progress('restore'));
    const { rows } = (await readJson(answer)) as { rows: number };
    return { data: { file, rows }, text: `${rows} rows restored. API keys are those of the archive now.` };
  },
};

export const backupCommands = [backup, restore];
