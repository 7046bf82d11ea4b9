import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';
import { shippedPacks } from '../packs/pack.ts';
import { ProfileCatalogue } from './catalogue.ts';
import { placeholderFor } from './placeholders.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token();
});
afterAll(() => service.stop());

const ask = (method: string, path: string, body?: unknown) =>
  service.request(method, `/api/v2/AlertProfiles${path}`, { token, body });

const strings = fc.string({
  unit: fc.constantFrom('a', 'B', '7', ' ', 'é', '"', '\\', '%', '{', '}', '😀', '\n'),
  maxLength: 12,
});

const profile = fc.constantFrom(...ProfileCatalogue.load(shippedPacks()).all()).chain(({ id, fields }) => {
  const literal = strings.filter((text) => !text.includes('{{'));
  const text = fc
    .array(fc.oneof(literal, fc.constantFrom(...fields).map(placeholderFor)), { maxLength: 5 })
    .map((chunks) => chunks.join(' '));
  const template = fc.record({
    name: fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_. -]{0,20}$/),
    eventName: text.filter((value) => value.trim() !== ''),
    description: text,
    subject: text,
  });
  return fc.record({
    alertProfileId: fc
      .stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,20}$/)
      .filter((name) => !/^lw_/i.test(name)),
    extends: fc.constant(id),
    alerts: fc.uniqueArray(template, { selector: ({ name }) => name, maxLength: 4 }),
  });
});

test('a profile can be recreated from its GET response, and updating it with its own values changes nothing', async () => {
  for (const body of fc.sample(profile, 40)) {
    const created = await ask('POST', '', body);
    expect([created.status, created.body.message]).toEqual([201, undefined]);
    expect(created.body.data).toMatchObject(body);
    const path = `/${body.alertProfileId}`;
    const read = await ask('GET', path);
    expect(read.body).toEqual(created.body);
    expect((await ask('PATCH', path, read.body.data)).body).toEqual(read.body);
    for (const { name, ...members } of body.alerts) {
      const same = await ask('PATCH', `${path}/AlertTemplates/${encodeURIComponent(name)}`, members);
      expect([same.status, same.body]).toEqual([200, read.body]);
    }
    expect((await ask('DELETE', path)).status).toBe(204);
    expect((await ask('GET', path)).status).toBe(404);
    const again = await ask('POST', '', read.body.data);
    expect([again.status, again.body]).toEqual([201, read.body]);
    expect((await ask('DELETE', path)).status).toBe(204);
  }
});
