import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readKeyFile } from '@vedette/server/identity/bootstrap';
import { formatInstant, isTimestamp } from '@vedette/server/platform/instant';
import { authorityFile } from '@vedette/server/platform/tls';
import { startOfHour } from '@vedette/server/simulate/hour';
import { Simulation } from '@vedette/server/simulate/simulation';
import type { Command, OptionValues } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { Progress } from '../progress.ts';
import { readAddress } from '../server-agent.ts';
import { simulatorToken } from '../simulation/agent-token.ts';
import { batchesOf } from '../simulation/batches.ts';
import { deliver } from '../simulation/delivery.ts';
import { type Destination, IngestClient } from '../simulation/ingest-client.ts';
import { UsageError } from '../usage-error.ts';
import { wholeNumber } from '../whole-number.ts';

const simulate: Command = {
  words: ['simulate'],
  positionals: [],
  options: {
    hosts: { type: 'string', value: 'N', required: true, meaning: 'hosts of the company, up to 10000' },
    days: { type: 'string', value: 'D', required: true, meaning: 'days that it reports, up to 90' },
    seed: { type: 'string', value: 'S', required: true, meaning: 'number that decides everything else' },
    rate: {
      type: 'string',
      value: 'R',
      meaning: 'records per second at most; as fast as it goes without it',
    },
    end: { type: 'string', value: 'TIME', meaning: 'end of the last day; the start of this hour without it' },
    account: {
      type: 'string',
      value: 'NAME',
      meaning: 'account that it reports to, instead of the first one',
    },
    url: {
      type: 'string',
      value: 'URL',
      meaning: 'address of the server, instead of the one in api-key.json',
    },
    token: { type: 'string', value: 'TOKEN', meaning: 'agent access token, instead of one named simulator' },
  },
  summary:
    'Fills a server with the telemetry of a fictitious company; sending it again stores nothing twice.',
  async run({ options, desk }) {
    const size = {
      hosts: wholeNumber('hosts', options.hosts, 1, 10_000) as number,
      seed: wholeNumber('seed', options.seed, 0, 4_294_967_295) as number,
    };
    const days = wholeNumber('days', options.days, 1, 90) as number;
    const rate = wholeNumber('rate', options.rate, 1, 1_000_000_000);
    const end = readEnd(options.end as string | undefined);
    const destination = await destinationOf(desk, options);
    const simulation = new Simulation(size);
    const began = Date.now();
    const progress = new Progress(process.stderr, Date.now);
    const client = new IngestClient(destination);
    const batches = batchesOf(simulation.portions(end, days), `${size.seed} ${size.hosts}`);
    const sent = await deliver(batches, client, {
      rate,
      now: Date.now,
      wait: destination.wait,
      onProgress: (share, records) => progress.show(Math.min(share, 0.999), records),
    }).finally(() => client.close());
    progress.show(1, sent.records);
    const seconds = (Date.now() - began) / 1_000;
    const { name } = simulation.company;
    return {
      data: { company: name, ...size, days, end: formatInstant(end), ...sent, seconds },
      text: `${name} with ${size.hosts} hosts reported ${sent.records} records of the ${days * 24} hours up to ${formatInstant(end)} in ${seconds.toFixed(1)} s: ${sent.stored} new, ${sent.repeated} already stored.\nIncidents are planted among them; their alerts follow within 30 seconds.`,
    };
  },
};

/** Hosts of every company are started before this year. */
const firstEnd = Date.UTC(2026, 0, 1);

function readEnd(text: string | undefined): number {
  if (text === undefined) return startOfHour(Date.now());
  const end = isTimestamp(text) ? startOfHour(Date.parse(text)) : 0;
  if (end < firstEnd)
    throw new UsageError(`--end must be a time such as 2026-03-01T12:00:00Z, from 2026 on, not '${text}'.`);
  return end;
}

async function destinationOf(desk: CommandContext, options: OptionValues): Promise<Destination> {
  const url = options.url ?? readKeyFile(join(desk.dataDirectory, 'api-key.json'))?.url;
  if (!url)
    throw new UsageError(
      `${desk.dataDirectory} has no api-key.json with the address of the server: give it with --url.`,
    );
  const address = readAddress(String(url));
  const token = options.token ?? (await simulatorToken(desk, options.account as string | undefined));
  return {
    url: address,
    token: String(token),
    authorityFile: authorityFile(desk.dataDirectory),
    wait: setTimeout,
  };
}

export const simulateCommands = [simulate];
