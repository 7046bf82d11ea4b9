import { formatInstant } from '@vedette/server/platform/instant';
import type { Command } from '../command.ts';
import { table } from '../table.ts';
import { shortened } from '../width.ts';
import { withHeldNote } from './held-note.ts';

const widestProblem = 60;

const list: Command = {
  words: ['exports'],
  positionals: [],
  options: {},
  summary: 'Lists hours of datasets that are over and not exported yet, the oldest first, 1000 at the most.',
  async run({ desk }) {
    const { exports } = await desk.open();
    const missing = await exports.missing();
    const data = missing.map(({ hour, dueAt, ...one }) => ({
      ...{ hour: formatInstant(hour), ...one, dueTime: formatInstant(dueAt) },
    }));
    const rows = data.map(({ dueTime, channelId, problem, attempts, ...one }) => ({
      ...one,
      channel: one.channel || channelId,
      attempts: String(attempts),
      problem: shortened(problem, widestProblem),
    }));
    return { data, text: withHeldNote(table(rows, 'Every hour is exported.'), await exports.heldSince()) };
  },
};

const retry: Command = {
  words: ['exports', 'retry'],
  positionals: [],
  options: {},
  summary: 'Has all hours that are not exported yet tried again now, also those that were given up.',
  async run({ desk }) {
    const { directory, exports } = await desk.open();
    const actor = directory.actor('Exports Retried', await directory.organization());
    const retried = await exports.retry(actor);
    return {
      data: { retried },
      text: `${retried} ${retried === 1 ? 'hour of a dataset is' : 'hours of datasets are'} tried again.`,
    };
  },
};

/** The longer words first, for they begin with the shorter ones. */
export const exportCommands = [retry, list];
