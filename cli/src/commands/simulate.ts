import { formatInstant, isTimestamp } from '@vedette/server/platform/instant';
import type { Company } from '@vedette/server/simulate/company/company';
import { startOfHour } from '@vedette/server/simulate/hour';
import { Simulation } from '@vedette/server/simulate/simulation';
import { HttpSink } from '../collecting/http-sink.ts';
import type { Command, OptionValues, Report } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { type Destination, destinationAt } from '../ingest/destination.ts';
import { ownToken } from '../ingest/own-token.ts';
import { integerOption } from '../integer-option.ts';
import { Progress } from '../progress.ts';
import { batchesOf } from '../simulation/batches.ts';
import type { CloudDeliveryResult } from '../simulation/clouds/cloud-delivery.ts';
import { deliver } from '../simulation/delivery.ts';
import { IngestClient } from '../simulation/ingest-client.ts';
import { UsageError } from '../usage-error.ts';

const simulate: Command = {
  words: ['simulate'],
  positionals: [],
  options: {
    hosts: { type: 'string', value: 'N', description: 'number of hosts, up to 10000' },
    days: { type: 'string', value: 'D', description: 'days of telemetry, up to 90' },
    seed: {
      type: 'string',
      value: 'S',
      description: 'random seed: the same seed generates the same data; default with --agents: 1',
    },
    agents: {
      type: 'string',
      value: 'N',
      description: 'instead of --hosts and --days: number of agents that report now, each on its connection',
    },
    minutes: {
      type: 'string',
      value: 'M',
      description: 'with --agents: how long they report; default: until Ctrl-C',
    },
    rate: {
      type: 'string',
      value: 'R',
      description: 'maximum records per second; default: unlimited',
    },
    end: {
      type: 'string',
      value: 'TIME',
      description: 'end of the last day; default: the start of the current hour',
    },
    account: {
      type: 'string',
      value: 'NAME',
      description: 'account to report to; default: the first one',
    },
    url: {
      type: 'string',
      value: 'URL',
      description: 'server URL; default: the one in api-key.json',
    },
    token: {
      type: 'string',
      value: 'TOKEN',
      description: 'agent access token; default: the one named simulator',
    },
    'collector-token': {
      type: 'string',
      value: 'TOKEN',
      description: 'collector token for the cloud accounts; default: the one named simulated collector',
    },
    'no-clouds': { type: 'boolean', description: 'leave out the cloud accounts' },
  },
  summary:
    'Sends the telemetry and cloud resources of a fictitious company to a server; records sent twice are stored once. With --agents its hosts report live until the time is over.',
  async run({ options, context }) {
    if (options.agents !== undefined) return playAgents(context, options);
    requireHistory(options);
    const size = {
      hosts: integerOption('hosts', options.hosts, 1, 10_000) as number,
      seed: integerOption('seed', options.seed, 0, maxSeed) as number,
    };
    const days = integerOption('days', options.days, 1, 90) as number;
    const rate = integerOption('rate', options.rate, 1, 1_000_000_000);
    const end = readEnd(options.end as string | undefined);
    const destination = await destinationOf(context, options);
    const collector = await collectorTokenOf(context, options);
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
    const clouds = await sendClouds(simulation.company, { end, days }, { ...destination, token: collector });
    const { name } = simulation.company;
    return {
      data: {
        company: name,
        ...size,
        days,
        end: formatInstant(end),
        ...sent,
        seconds,
        ...(clouds && { clouds }),
      },
      text: [
        `${name} with ${size.hosts} hosts reported ${sent.records} records of the ${days * 24} hours up to ${formatInstant(end)} in ${seconds.toFixed(1)} s: ${sent.stored} new, ${sent.repeated} already stored.`,
        ...(clouds
          ? [
              `Its clouds were collected on ${days} days: ${clouds.resources} resources, ${clouds.opened} versions new or changed, ${clouds.closed} changed or removed.`,
            ]
          : []),
        'The records contain planted incidents; their alerts follow within 30 seconds.',
      ].join('\n'),
    };
  },
};

const maxSeed = 4_294_967_295;
const ofHistory = ['hosts', 'days', 'end', 'rate', 'collector-token', 'no-clouds'] as const;

/** Live agents, instead of the records of past days. */
async function playAgents(context: CommandContext, options: OptionValues): Promise<Report> {
  const excluded = ofHistory.filter((name) => options[name] !== undefined);
  if (excluded.length > 0)
    throw new UsageError(
      `--agents reports live, and can not be combined with ${excluded.map((name) => `--${name}`).join(', ')}: run vedette simulate twice.`,
    );
  const fleet = {
    agents: integerOption('agents', options.agents, 1, 10_000) as number,
    seed: integerOption('seed', options.seed, 0, maxSeed) ?? 1,
    minutes: integerOption('minutes', options.minutes, 1, 100_000),
  };
  const destination = await destinationOf(context, options);
  const { runFleet } = await import('../simulation/fleet/fleet-run.ts');
  return runFleet(fleet, destination);
}

function requireHistory(options: OptionValues): void {
  if (options.minutes !== undefined) throw new UsageError('--minutes requires --agents.');
  for (const name of ['hosts', 'days', 'seed'])
    if (!options[name])
      throw new UsageError(`--${name} is required, or --agents for hosts that report live.`);
}

/** Undefined if the clouds are left out. */
async function collectorTokenOf(context: CommandContext, options: OptionValues): Promise<string | undefined> {
  if (options['no-clouds']) return undefined;
  const given = options['collector-token'] as string | undefined;
  // A token for another server can not be made here, and one for hosts does not send resources.
  if (given !== undefined || options.token !== undefined) return given;
  const account = options.account as string | undefined;
  return ownToken(context, { alias: 'simulated collector', purpose: 'collector', account });
}

async function sendClouds(
  company: Company,
  period: { readonly end: number; readonly days: number },
  { token, ...destination }: Omit<Destination, 'token'> & { readonly token: string | undefined },
): Promise<CloudDeliveryResult | undefined> {
  if (token === undefined) return undefined;
  const sinks = new Map<string, HttpSink>();
  const sinkOf = (cloud: string) => {
    const sink = sinks.get(cloud) ?? new HttpSink({ ...destination, token }, cloud);
    sinks.set(cloud, sink);
    return sink;
  };
  // The declarations of all collectors are loaded for this only.
  const { deliverClouds } = await import('../simulation/clouds/cloud-delivery.ts');
  return deliverClouds(company, period, sinkOf).finally(() => {
    for (const sink of sinks.values()) sink.close();
  });
}

/** The simulated hosts boot before 2026. */
const earliestEnd = Date.UTC(2026, 0, 1);

function readEnd(value: string | undefined): number {
  if (value === undefined) return startOfHour(Date.now());
  const end = isTimestamp(value) ? startOfHour(Date.parse(value)) : 0;
  if (end < earliestEnd)
    throw new UsageError(`--end must be a time such as 2026-03-01T12:00:00Z, from 2026 on, not '${value}'.`);
  return end;
}

function destinationOf(context: CommandContext, options: OptionValues): Promise<Destination> {
  const account = options.account as string | undefined;
  return destinationAt(
    context,
    { option: 'url', value: options.url },
    () =>
      (options.token as string | undefined) ??
      ownToken(context, { alias: 'simulator', purpose: 'agent', account }),
  );
}

export const simulateCommands = [simulate];
