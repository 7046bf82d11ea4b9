import { afterAll, beforeAll, expect, test } from 'vitest';
import { maxPageRows } from '../../search/page.ts';
import { TestAgent } from '../../testing/agent.ts';
import { TestService } from '../../testing/service.ts';

const [most, least] = ['9223372036854775807', '-9223372036854775808'];
const records = maxPageRows + 3;
const source = `{"mid":${most},"pid_hash":${least}}`;
const adjacentValues = [
  `{"mid":${BigInt(most) - 1n},"pid_hash":${least}}`,
  `{"mid":${most},"pid_hash":${BigInt(least) + 1n}}`,
];

let service: TestService;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  const instant = new Date(service.clock.now() - 1_000).toISOString();
  const connection = (from: string, number: number) =>
    `{"startTime":"${instant}","endTime":"${instant}","srcEntityType":"Process","srcEntityId":${from},` +
    '"dstEntityType":"DnsEndpoint","dstEntityId":{"hostname":"a.example"},"srcInBytes":1,"srcOutBytes":1,' +
    `"dstInBytes":1,"dstOutBytes":1,"numConns":${number}}`;
  const all = Array.from({ length: records }, (_, number) => connection(source, number));
  const agent = await TestAgent.of(service);
  await agent.send([...all, ...adjacentValues.map((from) => connection(from, -1))], {
    path: 'Activities/Connections',
  });
});
afterAll(() => service.stop());

test.each([
  ['numbers', most, least],
  ['texts', `"${most}"`, `"${least}"`],
])(
  '64-bit limits are preserved by ingestion, filters of %s, paging and returned members',
  async (_, mid, pidHash) => {
    const token = await service.token();
    const body =
      `{"filters":[{"field":"srcEntityId.mid","expression":"eq","value":${mid}},` +
      `{"field":"srcEntityId.pid_hash","expression":"eq","value":${pidHash}}],"returns":["srcEntityId","numConns"]}`;
    const first = await service.request('POST', '/api/v2/Activities/Connections/search', { token, body });
    expect(first.body.paging).toMatchObject({ rows: maxPageRows, totalRows: records });
    const next = new URL(first.body.paging.urls.nextPage).pathname;
    const second = await service.request('GET', next, { token });
    const returned = [first, second]
      .map(({ text }) => text.slice(text.indexOf('"data":[') + 8, -2))
      .join(',');
    const expected = Array.from(
      { length: records },
      (_, index) => `{"srcEntityId":${source},"numConns":${records - 1 - index}}`,
    );
    expect(returned === expected.join(',')).toBe(true);
  },
);
