import type { DeliveryList } from '@vedette/server/operator/deliveries';
import { formatInstant } from '@vedette/server/platform/instant';
import type { Command } from '../command.ts';
import { askServer, readJson } from '../operator.ts';
import { day, table } from '../table.ts';
import { UsageError } from '../usage-error.ts';
import { shortened } from '../width.ts';
import { withHeldNote } from './held-note.ts';

const widestProblem = 60;

const list: Command = {
  words: ['deliveries'],
  positionals: [],
  options: {
    dead: { type: 'boolean', meaning: 'only messages that are not tried any more' },
    waiting: { type: 'boolean', meaning: 'only messages that are tried again' },
  },
  summary: 'Lists messages about alerts that did not arrive, the newest first, 1000 at the most.',
  async run({ options, desk }) {
    const wishes = Object.keys(options).filter((name) => options[name] === true);
    const answer = await askServer(desk, 'GET', `/deliveries?${wishes.join('&')}`);
    const { heldSince, deliveries: all } = (await readJson(answer)) as DeliveryList;
    const rows = all.map((one) => ({
      id: one.id,
      account: one.account,
      alert: String(one.alertId),
      channel: one.channel || one.channelId,
      about: one.occasion,
      state: one.state,
      attempts: String(one.attempts),
      since: day(one.createdAt),
      problem: shortened(one.problem ?? '', widestProblem),
    }));
    const data = all.map(({ createdAt, updatedAt, dueAt, ...one }) => ({
      ...one,
      createdTime: formatInstant(createdAt),
      updatedTime: formatInstant(updatedAt),
      dueTime: formatInstant(dueAt),
    }));
    return { data, text: withHeldNote(table(rows, 'Every message arrived.'), heldSince) };
  },
};

const release: Command = {
  words: ['deliveries', 'release'],
  positionals: [],
  options: {},
  summary: 'Sends the messages and exports that a restore holds.',
  async run({ desk }) {
    const answer = await askServer(desk, 'POST', '/deliveries/release');
    const { released } = (await readJson(answer)) as { released: number | null };
    return {
      data: { released },
      text:
        released === null
          ? 'Nothing is held.'
          : `Messages and exports are sent again from now on, ${released} of the messages waited.`,
    };
  },
};

const resend: Command = {
  words: ['deliveries', 'resend'],
  positionals: ['[ID]'],
  options: { 'all-dead': { type: 'boolean', meaning: 'all messages that are not tried any more' } },
  summary: 'Sends a message again, or all that are dead.',
  async run({ positionals: [id], options, desk }) {
    const all = options['all-dead'] === true;
    if (all === (id !== undefined)) throw new UsageError('Give the id of a message, or --all-dead.');
    const wish = id === undefined ? 'all-dead' : `id=${encodeURIComponent(id)}`;
    const answer = await askServer(desk, 'POST', `/deliveries/resend?${wish}`);
    const { sent } = (await readJson(answer)) as { sent: number };
    return {
      data: { resent: sent },
      text: `${sent} ${sent === 1 ? 'message is' : 'messages are'} sent again.`,
    };
  },
};

/** The longer words first, for they begin with the shorter ones. */
export const deliveryCommands = [resend, release, list];
