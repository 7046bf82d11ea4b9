import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { ArchiveHeader } from '@vedette/server/operator/archive';
import { ArchiveReader } from '@vedette/server/operator/archive-reader';
import type { RestoreResult } from '@vedette/server/operator/restore';
import type { Command } from '../command.ts';
import { operatorRequest, readJson, withProgress } from '../operator-client.ts';
import { UsageError } from '../usage-error.ts';

const backup: Command = {
  words: ['backup'],
  positionals: ['FILE'],
  options: {
    'with-key': {
      type: 'boolean',
      description: 'include the key that decrypts the stored secrets: protect the archive',
    },
    'without-telemetry': {
      type: 'boolean',
      description: 'exclude telemetry: a small archive of the settings only',
    },
  },
  summary: 'Writes a snapshot of everything that the running server stores to an archive.',
  destroys: ({ positionals: [file = ''] }) =>
    existsSync(file) ? `${file} exists and will be overwritten.` : undefined,
  async run({ positionals: [file = ''], options, context }) {
    const withKey = options['with-key'] === true;
    const flags = Object.keys(options).filter((name) => options[name] === true);
    const response = await operatorRequest(context, 'POST', `/backup?${flags.join('&')}`);
    // Renamed when complete, so that a partial archive is not mistaken for a backup.
    const partialFile = `${file}.partial`;
    try {
      await withProgress(context, pipeline(response, createWriteStream(partialFile, { mode: 0o600 })));
      renameSync(partialFile, file);
    } catch (error) {
      rmSync(partialFile, { force: true });
      throw new UsageError(`${file} was not written: ${(error as Error).message}.`);
    }
    const { size } = statSync(file);
    const records = await telemetryRecordsIn(file);
    const telemetry = records === null ? 'no telemetry' : `${records} telemetry records`;
    const note = withKey ? 'It contains the secret key: protect it.' : 'It does not contain the secret key.';
    return {
      data: { file, bytes: size, withKey, records },
      text: `Backup written to ${file} with ${telemetry} (${size} bytes). ${note}`,
    };
  },
};

/** From the header of the archive; null without telemetry. */
async function telemetryRecordsIn(file: string): Promise<number | null> {
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
      description: 'send messages and exports immediately instead of holding them until `deliveries release`',
    },
  },
  summary: 'Replaces everything that the running server stores with the content of an archive.',
  destroys: ({ positionals: [file = ''], context }) =>
    existsSync(file)
      ? `This replaces everything stored by the server on ${context.dataDirectory} with ${file}.`
      : undefined,
  async run({ positionals: [file = ''], options, context }) {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile())
      throw new UsageError(`There is no file ${file}: pass an archive written by \`vedette backup\`.`);
    const archive = createReadStream(file);
    // Opened before the request, so that an unreadable file is not reported as a server failure.
    await once(archive, 'open').catch((error: Error) => {
      throw new UsageError(`${file} can not be read: ${error.message}.`);
    });
    const query = options.deliver === true ? '?deliver' : '';
    const response = await withProgress(
      context,
      operatorRequest(context, 'POST', `/restore${query}`, archive),
    );
    const { rows, records = null, held } = (await readJson(response)) as RestoreResult;
    const restored =
      records === null
        ? `${rows} rows restored. Telemetry is unchanged.`
        : `${rows} rows and ${records} telemetry records restored.`;
    const note = held
      ? ' Messages to alert channels and exports are held: check the channels, then run npx vedette deliveries release.'
      : '';
    return {
      data: { file, rows, records, held },
      text: `${restored} The API keys are now those of the archive.${note}`,
    };
  },
};

export const backupCommands = [backup, restore];
