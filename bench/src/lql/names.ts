import { type Place, runBench } from '../bench.ts';
import { Client } from '../client.ts';
import { Line } from '../line.ts';
import { report } from '../report.ts';
import { Sample } from '../sample.ts';

/** Milliseconds for all names, which are more than twice the thousand that it is a promise for. */
const limit = 50;
const starts = 5;
const listings = 40;
const timeLimit = 120_000;
const leastNames = 2_000;

await runBench({ bench: 'lql names', limit, timeLimit, passes: (ratio) => ratio < limit }, measure);

/** A listing decides; the first one after a start, which makes the answer and runs unoptimised, is shown. */
async function measure(place: Place): Promise<number> {
  const [first, later, one, growth] = [new Sample(), new Sample(), new Sample(), new Sample()];
  for (let start = 0; start < starts; start++) {
    const server = await place.startServer();
    const client = await Client.signIn(server.port, place.dataDirectory);
    const line = await Line.open(server.port);
    const ask = async (path: string, sample: Sample) => {
      const request = client.requestFor({ method: 'GET', path });
      const began = performance.now();
      const body = await line.ask(request);
      sample.add(performance.now() - began);
      return body;
    };
    // Not the first answer of the process, which is slow whatever it is.
    await ask('/api/v2/OrganizationInfo', new Sample());
    const before = server.residentMemory();
    const { data } = JSON.parse((await ask('/api/v2/Datasources', first)).toString()) as { data: unknown[] };
    if (data.length < leastNames) throw new Error(`Only ${data.length} datasources are listed.`);
    growth.add(server.residentMemory() - before);
    for (let listing = 0; listing < listings; listing++) await ask('/api/v2/Datasources', later);
    for (let listing = 0; listing < listings; listing++) await ask('/api/v2/Datasources/LW_CFG_AWS_S3', one);
    line.close();
    await server.stop();
  }
  report('first listing', `${first.median.toFixed(1)} ms, median of ${first.size} starts`);
  report('memory', `${growth.median.toFixed(1)} MB more after it`);
  report('later listings', `${later.median.toFixed(1)} ms, median of ${later.size}`);
  report('one datasource', `${one.median.toFixed(2)} ms, median of ${one.size}`);
  return Number(later.median.toFixed(1));
}
