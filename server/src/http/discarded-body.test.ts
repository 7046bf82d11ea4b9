import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RouteServer } from '../testing/route-server.ts';
import { bodyLimit } from './limits.ts';
import { defineRoute } from './route.ts';

const route = defineRoute({
  method: 'POST',
  path: '/strings',
  family: { name: 'strings', description: 'For this test.' },
  summary: 'Measure a string',
  access: 'public',
  body: Type.Object({ text: Type.String({ maxLength: 10, description: 'Anything.' }) }),
  replies: { 200: Type.Object({ length: Type.Integer({ description: 'Length of the string.' }) }) },
}).handle(async ({ body }) => ({ status: 200, body: { length: body.text.length } }));

let server: RouteServer;
beforeAll(async () => {
  server = await RouteServer.start({ routes: [route] });
});
afterAll(() => server.stop());

const open = (headers: Readonly<Record<string, string | number>>) =>
  request(`${server.url}/strings`, {
    method: 'POST',
    agent: false,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
const textOf = async (reply: IncomingMessage) => Buffer.concat(await reply.toArray()).toString();

test.each([
  ['with a Content-Length', { 'Content-Length': bodyLimit + 100_000 }],
  ['in chunks', { 'Transfer-Encoding': 'chunked' }],
])(
  'a client that sends too large a body %s gets the error after it has sent all of it',
  async (_, headers) => {
    const upload = open(headers);
    let hasResponse = false;
    const response = once(upload, 'response').then(([reply]) => {
      hasResponse = true;
      return reply as IncomingMessage;
    });
    upload.write('x'.repeat(bodyLimit + 1));
    // By the time another client has its response, this one would have had it too.
    for (let round = 0; round < 3; round++) {
      const other = open({});
      other.end('{"text":"abc"}');
      const [reply] = (await once(other, 'response')) as [IncomingMessage];
      expect(await textOf(reply)).toBe('{"length":3}');
    }
    expect(hasResponse).toBe(false);
    upload.end('x'.repeat(99_999));
    const reply = await response;
    expect(reply.statusCode).toBe(400);
    expect(JSON.parse(await textOf(reply))).toMatchObject({
      code: 'BODY_TOO_LARGE',
      message: `The body is larger than ${bodyLimit} bytes: send a smaller one.`,
    });
  },
);
