import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RouteServer } from '../testing/route-server.ts';
import { bodyLimit } from './limits.ts';
import { defineRoute } from './route.ts';

const route = defineRoute({
  method: 'POST',
  path: '/texts',
  family: { name: 'texts', description: 'For this test.' },
  summary: 'Take a text',
  access: 'public',
  body: Type.Object({ text: Type.String({ maxLength: 10, description: 'Anything.' }) }),
  replies: { 200: Type.Object({ length: Type.Integer({ description: 'Of the text.' }) }) },
}).handle(async ({ body }) => ({ status: 200, body: { length: body.text.length } }));

let server: RouteServer;
beforeAll(async () => {
  server = await RouteServer.start({ routes: [route] });
});
afterAll(() => server.stop());

const ask = (headers: Readonly<Record<string, string | number>>) =>
  request(`${server.url}/texts`, {
    method: 'POST',
    agent: false,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
const textOf = async (reply: IncomingMessage) => Buffer.concat(await reply.toArray()).toString();

test.each([
  ['whose length is said', { 'Content-Length': bodyLimit + 100_000 }],
  ['that comes in chunks', { 'Transfer-Encoding': 'chunked' }],
])(
  'a client with too large a body %s sends all of it and then sees why it is refused',
  async (_, headers) => {
    const sent = ask(headers);
    let isAnswered = false;
    const answered = once(sent, 'response').then(([reply]) => {
      isAnswered = true;
      return reply as IncomingMessage;
    });
    sent.write('x'.repeat(bodyLimit + 1));
    // By the time another client has its answer, this one would have had it too.
    for (let round = 0; round < 3; round++) {
      const other = ask({});
      other.end('{"text":"abc"}');
      const [reply] = (await once(other, 'response')) as [IncomingMessage];
      expect(await textOf(reply)).toBe('{"length":3}');
    }
    expect(isAnswered).toBe(false);
    sent.end('x'.repeat(99_999));
    const reply = await answered;
    expect(reply.statusCode).toBe(400);
    expect(JSON.parse(await textOf(reply))).toMatchObject({
      code: 'BODY_TOO_LARGE',
      message: `The body is larger than ${bodyLimit} bytes: send a smaller one.`,
    });
  },
);
