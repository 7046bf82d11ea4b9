import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runBench, Workspace } from '../bench.ts';
import { Client } from '../client.ts';
import { HttpConnection } from '../http-connection.ts';
import { timeOf } from '../pairs.ts';
import { draw } from '../plot.ts';
import { report } from '../report.ts';
import { Sample } from '../sample.ts';
import { fill, sampleHost } from './data.ts';
import { searches } from './searches.ts';

/** Four times the data may take at most four times as long. */
const limit = 4;
/** Millions of records. */
const sizes = [0.1, 1, 5, 20];
const rounds = 15;
const plots = fileURLToPath(new URL('../../plots/', import.meta.url));

await runBench(
  { bench: 'telemetry-growth', limit, timeLimit: 7_200_000, passes: (ratio) => ratio <= limit },
  measure,
);

/** Latency of the first page and the total over HTTP as the data grows. */
async function measure(): Promise<number> {
  const series = new Map<string, { x: number; y: number }[]>();
  for (const millions of sizes) {
    for (const [name, milliseconds] of await latencies(millions)) {
      series.set(name, [...(series.get(name) ?? []), { x: millions, y: milliseconds }]);
    }
  }
  mkdirSync(plots, { recursive: true });
  const drawing = draw({
    title: 'First page of 5,000 records and total, over HTTP',
    xLabel: 'million connections in 14 days',
    yLabel: 'milliseconds, median',
    series: [...series].map(([name, points]) => ({ name, points })),
  });
  writeFileSync(`${plots}telemetry-growth.svg`, drawing);
  const growths = [...series.values()].map((points) => (points.at(-1)?.y ?? 0) / (points.at(-2)?.y ?? 1));
  return Math.ceil(Math.max(...growths) * 100) / 100;
}

async function latencies(millions: number): Promise<Map<string, number>> {
  const workspace = new Workspace();
  try {
    await fill(workspace, millions);
    const server = await workspace.startServer();
    const client = await Client.signIn(server.port, workspace.dataDirectory);
    const connection = await HttpConnection.open(server.port);
    const medians = new Map<string, number>();
    for (const { name, request } of searches(sampleHost(millions))) {
      const times = new Sample();
      const message = client.requestFor(request);
      await connection.request(message);
      for (let round = 0; round < rounds; round++) times.add(await timeOf(() => connection.request(message)));
      report(`${millions} million`, `${name}: ${times.median.toFixed(1)} ms`);
      medians.set(name, times.median);
    }
    connection.close();
    await server.stop();
    return medians;
  } finally {
    workspace.clear();
  }
}
