import type { DeliveryList } from '@vedette/server/operator/deliveries';
import { formatInstant } from '@vedette/server/platform/instant';
import type { Command } from '../command.ts';
import { operatorRequest, readJson } from '../operator-client.ts';
import { day, table } from '../table.ts';
import { UsageError } from '../usage-error.ts';
import { shortened } from '../width.ts';
import { withHeldNotice } from './held-notice.ts';

const maxProblemWidth = 60;

const list: Command = {
  words: ['deliveries'],
  positionals: [],
  options: {
    dead: { type: 'boolean', description: 'only dead letters: messages that are no longer retried' },
    waiting: { type: 'boolean', description: 'only messages waiting to be retried' },
  },
  summary: 'Lists undelivered alert messages, newest first, at most 1000.',
  async run({ options, context }) {
    const flags = Object.keys(options).filter((name) => options[name] === true);
    const response = await operatorRequest(context, 'GET', `/deliveries?${flags.join('&')}`);
    const { heldSince, deliveries: all } = (await readJson(response)) as DeliveryList;
    const rows = all.map((one) => ({
      id: one.id,
      account: one.account,
      alert: String(one.alertId),
      channel: one.channel || one.channelId,
      about: one.occasion,
      state: one.state,
      attempts: String(one.attempts),
      since: day(one.createdAt),
      problem: shortened(one.problem ?? '', maxProblemWidth),
    }));
    const data = all.map(({ createdAt, updatedAt, dueAt, ...one }) => ({
      ...one,
      createdTime: formatInstant(createdAt),
      updatedTime: formatInstant(updatedAt),
      dueTime: formatInstant(dueAt),
    }));
    return { data, text: withHeldNotice(table(rows, 'No undelivered messages.'), heldSince) };
  },
};

const release: Command = {
  words: ['deliveries', 'release'],
  positionals: [],
  options: {},
  summary: 'Releases the messages and exports held since a restore.',
  async run({ context }) {
    const response = await operatorRequest(context, 'POST', '/deliveries/release');
    const { released } = (await readJson(response)) as { released: number | null };
    return {
      data: { released },
      text:
        released === null
          ? 'Nothing is held.'
          : `Delivery of messages and exports resumed; ${released} messages were held.`,
    };
  },
};

const resend: Command = {
  words: ['deliveries', 'resend'],
  positionals: ['[ID]'],
  options: { 'all-dead': { type: 'boolean', description: 'all dead letters' } },
  summary: 'Resends a message, or all dead letters.',
  async run({ positionals: [id], options, context }) {
    const all = options['all-dead'] === true;
    if (all === (id !== undefined)) throw new UsageError('Pass the id of a message, or --all-dead.');
    const query = id === undefined ? 'all-dead' : `id=${encodeURIComponent(id)}`;
    const response = await operatorRequest(context, 'POST', `/deliveries/resend?${query}`);
    const { sent } = (await readJson(response)) as { sent: number };
    return {
      data: { resent: sent },
      text: `${sent} ${sent === 1 ? 'message' : 'messages'} queued for resending.`,
    };
  },
};

/** Longest first: the first command whose words match is run. */
export const deliveryCommands = [resend, release, list];
