import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operationIdOf } from '../../http/openapi.ts';
import { bodySchema, Operation } from '../../http/operation.ts';
import { functionalityOf } from '../../http/route.ts';
import { RouteCounters } from '../../http/route-counters.ts';
import { TestService } from '../../testing/service.ts';
import { exampleOf } from './example.ts';
import { html } from './html.ts';

/** Number of elements that a browser renders quickly on a slow computer. */
const maxElements = 5_000;
const elementsIn = (text: string) => text.match(/<[a-z]/g)?.length ?? 0;

let service: TestService;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: '10000' });
});
afterAll(() => service.stop());

/** Those of the console's sign-in are no part of the interface. */
const publicRoutes = () => service.routes.filter(({ declaration }) => !declaration.isPrivate);

describe('the reference', () => {
  test('is a public page without external resources', async () => {
    const { status, headers, text } = await service.request('GET', '/api/v2/docs');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('text/html');
    const sources = [...text.matchAll(/(?:src|href|data-url)="([^"]+)"/g)].map((match) => match[1] as string);
    expect(sources.length).toBeGreaterThan(1);
    for (const source of sources) expect((await service.request('GET', source)).status, source).toBe(200);
    expect(headers.get('content-security-policy')).toContain("connect-src 'self'");
    expect(headers.get('content-security-policy')).not.toMatch(/https?:|unsafe-eval/);
  });

  test('lists every operation with a link to its page, in HTML without scripts', async () => {
    const { text } = await service.request('GET', '/api/v2/docs');
    expect(elementsIn(text)).toBeLessThanOrEqual(maxElements);
    expect(text).toMatch(/^<!doctype html>/);
    expect(text).not.toMatch(/<details[^>]* open/);
    for (const { declaration } of publicRoutes()) {
      const { method, path, summary } = declaration;
      const link = `<a href="/api/v2/docs/operations/${operationIdOf(declaration)}">`;
      const name = html`<b class="${method}">${method}</b> <code>${path}</code></a> ${summary}</li>`;
      expect(text).toContain(link + name.text);
    }
  });

  test('has a page for each operation with parameters, body, example, responses, roles and bucket', async () => {
    for (const { declaration } of publicRoutes()) {
      const { method, path, access, params, query, body, replies } = declaration;
      const { status, headers, text } = await service.request(
        'GET',
        `/api/v2/docs/operations/${operationIdOf(declaration)}`,
      );
      expect([status, headers.get('content-type')], path).toEqual([200, 'text/html; charset=utf-8']);
      expect(headers.get('content-security-policy')).toContain("script-src 'self';");
      expect(elementsIn(text), path).toBeLessThanOrEqual(maxElements);
      expect(text).toContain(`<h1><b class="${method}">${method}</b> <code>${path}</code></h1>`);
      for (const name of Object.keys({ ...params?.properties, ...query?.properties }))
        expect(text, path).toContain(`<tr><td><code>${name}</code></td>`);
      expect(text.includes('<h2>Request body</h2>'), path).toBe(body !== undefined);
      expect(text, path).toContain(`<pre><code>curl `);
      for (const code of Object.keys(replies)) expect(text, path).toContain(`<h3>${code}</h3>`);
      if (access === 'write') expect(text, path).toContain('<dd>orgAdmin, or accountAdmin of the account');
      if (access === 'read' && declaration.rate === undefined)
        expect(text, path).toContain(`<code>${functionalityOf(declaration)}</code>, per user and hour.`);
    }
  });

  test('shows the schemas of a body by type, with the constraints of their members', async () => {
    const { text } = await service.request('GET', '/api/v2/docs/operations/postAlertChannels');
    expect(text).toContain('<details><summary>type: SlackChannel</summary><dl>');
    expect(text).toContain(
      '<dt><code>slackUrl</code> <span>string, matching ^https?://\\S+$, at most 4096 characters, required</span></dt>',
    );
    expect(text).toContain('<dd>Alert Channel Created</dd>');
    expect(text).toMatch(/curl -X POST &quot;<span id="origin">\$URL<\/span>\/api\/v2\/AlertChannels&quot; /);
  });

  test('has examples that pass the validation of their operations', () => {
    const rejected = service.routes.flatMap((route) => {
      const schema = bodySchema(route.declaration);
      const [problem] =
        (schema && new Operation(route, new RouteCounters('', '')).body?.problems(exampleOf(schema))) ?? [];
      return problem ? [`${operationIdOf(route.declaration)}: ${problem.message}`] : [];
    });
    expect(rejected).toEqual([]);
  });

  test('returns 404 for an unknown operation', async () => {
    const { status, body } = await service.request('GET', '/api/v2/docs/operations/getNothing');
    expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
    expect(body.message).toContain('GET /api/v2/docs lists them');
  });

  test.each(['*/*', 'application/json', 'text/html;q=0, */*', ''])(
    'is only mentioned in the 404 of / with Accept: %s',
    async (accept) => {
      const { status, headers, body } = await service.request('GET', '/', { headers: { accept } });
      expect([status, headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
      expect(body).toMatchObject({
        code: 'NOT_FOUND',
        message: 'Not found: see GET /api/v2/docs for the paths that exist.',
      });
    },
  );

  test.each([
    '/api/v2/docs',
    '/api/v2/docs/operations/getOpenapiJson',
    '/api/v2/docs/reference.js',
    '/api/v2/docs/reference.css',
    '/favicon.svg',
    '/api/v2/openapi.json',
  ])(
    'sends %s compressed if the client accepts that, and returns 304 to a client with the current version',
    async (path) => {
      const identity = await service.request('GET', path, { headers: { 'accept-encoding': 'identity' } });
      const gzip = await service.request('GET', path, { headers: { 'accept-encoding': 'gzip' } });
      const brotli = await service.request('GET', path, { headers: { 'accept-encoding': 'gzip, br' } });
      expect([gzip.text === identity.text, brotli.text === identity.text]).toEqual([true, true]);
      const all = [identity, gzip, brotli];
      expect(all.map(({ headers }) => headers.get('content-encoding'))).toEqual([null, 'gzip', 'br']);
      const lengths = all.map(({ headers }) => Number(headers.get('content-length')));
      expect(lengths.slice(1).every((length) => length < (lengths[0] as number))).toBe(true);
      for (const { headers } of all) {
        expect(headers.get('vary')).toBe('accept-encoding');
        const again = await service.request('GET', path, {
          headers: {
            'accept-encoding': headers.get('content-encoding') ?? 'identity',
            'if-none-match': headers.get('etag') as string,
          },
        });
        expect([again.status, again.text]).toEqual([304, '']);
        for (const name of ['etag', 'vary', 'cache-control', 'x-content-type-options'])
          expect(again.headers.get(name), name).toBe(headers.get(name));
      }
      const head = await service.request('HEAD', path, { headers: { 'accept-encoding': 'gzip' } });
      expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', gzip.headers.get('etag')]);
    },
  );

  test('describes every operation of the server', async () => {
    const { body } = await service.request('GET', '/api/v2/openapi.json');
    expect(body.openapi).toBe('3.1.0');
    const described = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(
      publicRoutes()
        .map(({ declaration: { method, path } }) => `${method} ${path}`)
        .sort(),
    );
  });
});

test('an interpolated value cannot inject an element or end an attribute', () => {
  const value = `<script>alert('&"')</script>`;
  const escaped = '&lt;script&gt;alert(&#39;&amp;&quot;&#39;)&lt;/script&gt;';
  expect(html`<a title="${value}">${value}</a>`.text).toBe(`<a title="${escaped}">${escaped}</a>`);
  expect(html`${html`<b>`}${[html`<i>`, html`<u>`]}${undefined}${7}`.text).toBe('<b><i><u>7');
});
