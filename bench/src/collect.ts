import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Collection } from '@vedette/server/collect/inventory/collection';
import type { Resource } from '@vedette/server/telemetry/resource';
import { RawResources } from './baselines/duckdb-resources.ts';
import { runBench, type Workspace } from './bench.ts';
import { Client } from './client.ts';
import { readings, type Scope, sinkOf } from './collector.ts';
import { timeOf, timePairs } from './pairs.ts';
import { PeakMemory } from './peak-memory.ts';
import { report, reportPairs } from './report.ts';

/** How many times faster a collection is stored in which nothing changed. */
const limit = 5;
const pairs = 15;
/** Megabytes above the idle server. */
const maxMemory = 400;
const [kindCount, perScope] = [50, 400];
const regions = ['eu-central-1', 'eu-west-1', 'us-east-1', 'us-west-2', 'ap-south-1'];
/** Of the scopes in the pairs, because every pair stores new versions. */
const smallShare = 10;
const cloudAccount = '123456789012';
const limits = { memory: '512MB', threads: 2 };
const hour = 3_600_000;

await runBench({ bench: 'collect', limit, timeLimit: 3_600_000, passes: (ratio) => ratio >= limit }, measure);

/** Stores 100,000 resources as `vedette collect` sends them, then the same again, and compares smaller ones in pairs. */
async function measure(workspace: Workspace): Promise<number> {
  const server = await workspace.startServer();
  const client = await Client.signIn(server.port, workspace.dataDirectory);
  const kinds = await kindsOf(client);
  const sink = await sinkOf(client, server.port);
  const idle = server.residentMemory();
  let started = Date.now() - 24 * 30 * hour;
  let generation = 0;
  /** One collection; another version has another configuration of each resource. Making them up takes no time of it. */
  const scopes = [0, 1].map((version) => scopesOf(kinds, version));
  const some = scopes.map((all) => all.slice(0, all.length / smallShare));
  const collect = async (all: readonly Scope[]) => {
    const collection = new Collection({ cloudAccount, sink, clock: { now: () => started } });
    started += hour;
    const effect = { opened: 0, closed: 0, resources: 0 };
    await collection.run(readings(all), new AbortController().signal, (_, results) => {
      for (const one of results) {
        if (one.status !== 'collected')
          throw new Error(`${one.kind} ${one.region}: ${one.status} ${one.reason}`);
        effect.opened += one.effect.opened;
        effect.closed += one.effect.closed;
        effect.resources += one.resources;
      }
    });
    return effect;
  };
  const memory = new PeakMemory(server);
  const all = kindCount * regions.length * perScope;
  let first = { opened: 0, closed: 0, resources: 0 };
  let again = first;
  const firstTime = await timeOf(async () => {
    first = await collect(scopes[0] as Scope[]);
  });
  const secondTime = await timeOf(async () => {
    again = await collect(scopes[0] as Scope[]);
  });
  const peak = memory.stop() - idle;
  if (first.opened !== all || again.resources !== all || again.opened + again.closed !== 0)
    throw new Error(`Stored ${first.opened} of ${all} resources, then ${again.opened} again.`);
  report(`${all} resources`, `stored in ${(firstTime / 1_000).toFixed(1)} s, ${rate(all, firstTime)}`);
  report(
    'the same again',
    `${(secondTime / 1_000).toFixed(1)} s, ${rate(all, secondTime)}, no version written`,
  );
  report('memory', `${peak.toFixed(0)} MB above idle (${idle.toFixed(0)} MB), at most ${maxMemory} MB`);
  report('disk', `${sizeOf(join(workspace.dataDirectory, 'telemetry')).toFixed(0)} MB`);
  const raw = await RawResources.open(workspace.directory, limits);
  const rawTime = await timeOf(async () => {
    for (const scope of scopes[0] as Scope[]) await raw.insert(scope);
  });
  report('engine alone', `${(rawTime / 1_000).toFixed(1)} s for inserting the same rows`);
  await raw.clear();
  const engine = await timePairs(
    pairs,
    () => collect(some[++generation % 2] as Scope[]),
    async () => {
      for (const scope of some[0] as Scope[]) await raw.insert(scope);
    },
  );
  reportPairs(
    `${all / smallShare} changed resources`,
    'through HTTP, compared with what is stored',
    'inserted by the engine alone',
    engine,
  );
  const repeated = await timePairs(
    pairs,
    () => collect(some[++generation % 2] as Scope[]),
    () => collect(some[generation % 2] as Scope[]),
  );
  reportPairs(
    `${all / smallShare} resources, changed against unchanged`,
    'all of them changed',
    'nothing changed',
    repeated,
  );
  raw.close();
  sink.close();
  await server.stop();
  if (peak > maxMemory) throw new Error(`The server took ${peak.toFixed(0)} MB more than idle.`);
  return Math.floor(repeated.ratio.median * 100) / 100;
}

/** Names of datasources of resources. */
async function kindsOf(client: Client): Promise<string[]> {
  const { body } = await client.get('/api/v2/Datasources');
  const { data } = JSON.parse(body) as { data: { name: string }[] };
  const names = data.map(({ name }) => name).filter((name) => /^LW_CFG_AWS_(EC2|IAM|RDS)_\w+$/.test(name));
  if (names.length < kindCount)
    throw new Error(`The server has only ${names.length} kinds of EC2, IAM and RDS resources.`);
  return names.slice(0, kindCount);
}

function scopesOf(kinds: readonly string[], version: number): Scope[] {
  return kinds.flatMap((kind) =>
    regions.map((region) => ({
      ...{ kind, region },
      resources: Array.from({ length: perScope }, (_, number) => resource(kind, region, number, version)),
    })),
  );
}

/** About 2 KB of configuration. */
function resource(kind: string, region: string, number: number, version: number): Resource {
  const id = `i-${number.toString(16).padStart(17, '0')}`;
  const arn = `arn:aws:ec2:${region}:${cloudAccount}:${kind.toLowerCase()}/${id}`;
  const config = {
    ...{
      InstanceId: id,
      InstanceType: 'm5.large',
      Version: version,
      PrivateIpAddress: `10.0.${number >> 8}.${number & 255}`,
    },
    NetworkInterfaces: Array.from({ length: 8 }, (_, at) => ({
      ...{ NetworkInterfaceId: `eni-${(number * 8 + at).toString(16).padStart(17, '0')}`, Status: 'in-use' },
      ...{
        SubnetId: `subnet-${(number % 50).toString(16).padStart(17, '0')}`,
        VpcId: 'vpc-0123456789abcdef0',
      },
      ...{
        MacAddress: `02:00:00:${number % 90}:00:${at}`,
        SourceDestCheck: true,
        InterfaceType: 'interface',
      },
    })),
    Tags: [{ Key: 'Name', Value: `host-${number}` }],
  };
  return {
    key: arn,
    facts: {
      ...{
        URN: arn,
        RESOURCE_ID: id,
        RESOURCE_TYPE: 'ec2:instance',
        SERVICE: 'ec2',
        RESOURCE_REGION: region,
      },
      ...{ API_KEY: 'describe-instances', ACCOUNT_ID: cloudAccount, ACCOUNT_ALIAS: 'bench' },
    },
    config: JSON.stringify(config),
    tags: JSON.stringify({ Name: `host-${number}` }),
  };
}

function rate(resources: number, milliseconds: number): string {
  return `${((resources / milliseconds) * 1_000).toFixed(0)} resources/s`;
}

/** Megabytes of all files below a folder. */
function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return entries.reduce((sum, entry) => sum + (statSync(join(folder, entry)).size ?? 0), 0) / 1e6;
}
