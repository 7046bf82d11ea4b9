import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { ArchiveHeader } from '@vedette/server/operator/archive';
import { ArchiveReader } from '@vedette/server/operator/archive-reader';
import type { Restored } from '@vedette/server/operator/restore';
import type { Command } from '../command.ts';
import { askServer, readJson, watched } from '../operator.ts';
import { UsageError } from '../usage-error.ts';

const backup: Command = {
  words: ['backup'],
  positionals: ['FILE'],
  options: {
    'with-key': {
      type: 'boolean',
      meaning: 'put the key that opens sealed secrets into the archive too: guard the file',
    },
    'without-telemetry': {
      type: 'boolean',
      meaning: 'leave out telemetry: a small archive of the settings only',
    },
  },
  summary: 'Writes everything that the running server stores into an archive.',
  destroys: ({ positionals: [file = ''] }) =>
    existsSync(file) ? `${file} exists and will be overwritten.` : undefined,
  async run({ positionals: [file = ''], options, desk }) {
    const withKey = options['with-key'] === true;
    const wishes = Object.keys(options).filter((name) => options[name] === true);
    const answer = await askServer(desk, 'POST', `/backup?${wishes.join('&')}`);
    // Under another name until it is complete, so that a partial archive is not taken for a backup.
    const draft = `${file}.partial`;
    try {
      await watched(desk, pipeline(answer, createWriteStream(draft, { mode: 0o600 })));
      renameSync(draft, file);
    } catch (error) {
      rmSync(draft, { force: true });
      throw new UsageError(`${file} was not written: ${(error as Error).message}.`);
    }
    const { size } = statSync(file);
    const records = await recordsIn(file);
    const telemetry = records === null ? 'no telemetry' : `${records} records of telemetry`;
    const note = withKey ? 'It holds the secret key: guard it.' : 'It does not hold the secret key.';
    return {
      data: { file, bytes: size, withKey, records },
      text: `${file} holds the backup with ${telemetry} (${size} bytes). ${note}`,
    };
  },
};

/** Of telemetry, as the archive says; null when it says nothing of telemetry. */
async function recordsIn(file: string): Promise<number | null> {
  const reader = new ArchiveReader(createReadStream(file, { end: 65_535 }));
  const header = (await reader.line()) as ArchiveHeader;
  await reader.close();
  return header.telemetry?.records ?? null;
}

const restore: Command = {
  words: ['restore'],
  positionals: ['FILE'],
  options: {
    deliver: {
      type: 'boolean',
      meaning: 'send messages and exports at once instead of holding them until `deliveries release`',
    },
  },
  summary: 'Replaces everything that the running server stores with an archive.',
  destroys: ({ positionals: [file = ''], desk }) =>
    existsSync(file)
      ? `This replaces everything that the server on ${desk.dataDirectory} stores with ${file}.`
      : undefined,
  async run({ positionals: [file = ''], options, desk }) {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile())
      throw new UsageError(`There is no file ${file}: name one that \`vedette backup\` wrote.`);
    const archive = createReadStream(file);
    // Opened before the server is asked, so that a file that can not be read is not taken for a server that fails.
    await once(archive, 'open').catch((error: Error) => {
      throw new UsageError(`${file} can not be read: ${error.message}.`);
    });
    const wish = options.deliver === true ? '?deliver' : '';
    const answer = await watched(desk, askServer(desk, 'POST', `/restore${wish}`, archive));
    const { rows, records = null, held } = (await readJson(answer)) as Restored;
    const telemetry =
      records === null ? 'Telemetry stays as it was.' : `${records} records of telemetry too.`;
    const note = held
      ? ' Messages to alert channels and exports are held: check the channels, then run npx vedette deliveries release.'
      : '';
    return {
      data: { file, rows, records, held },
      text: `${rows} rows restored. ${telemetry} API keys are those of the archive now.${note}`,
    };
  },
};

export const backupCommands = [backup, restore];
