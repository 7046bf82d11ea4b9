import { formatInstant } from '@vedette/server/platform/instant';
import type { Command } from '../command.ts';
import { table } from '../table.ts';
import { shortened } from '../width.ts';
import { withHeldNotice } from './held-notice.ts';

const maxProblemWidth = 60;

const list: Command = {
  words: ['exports'],
  positionals: [],
  options: {},
  summary: 'Lists past dataset hours that are not exported yet, oldest first, at most 1000.',
  async run({ context }) {
    const { exports } = await context.open();
    const missing = await exports.missing();
    const data = missing.map(({ hour, dueAt, ...one }) => ({
      ...{ hour: formatInstant(hour), ...one, dueTime: formatInstant(dueAt) },
    }));
    const rows = data.map(({ dueTime, channelId, problem, attempts, ...one }) => ({
      ...one,
      channel: one.channel || channelId,
      attempts: String(attempts),
      problem: shortened(problem, maxProblemWidth),
    }));
    return { data, text: withHeldNotice(table(rows, 'All hours are exported.'), await exports.heldSince()) };
  },
};

const retry: Command = {
  words: ['exports', 'retry'],
  positionals: [],
  options: {},
  summary: 'Retries all dataset hours that are not exported yet, including those given up.',
  async run({ context }) {
    const { directory, exports } = await context.open();
    const actor = directory.actor('Exports Retried', await directory.organization());
    const retried = await exports.retry(actor);
    return {
      data: { retried },
      text: `${retried} dataset ${retried === 1 ? 'hour' : 'hours'} queued for export.`,
    };
  },
};

/** Longest first: the first command whose words match is run. */
export const exportCommands = [retry, list];
