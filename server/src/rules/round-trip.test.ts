import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../testing/service.ts';
import { alertRule } from './alert-rule.ts';
import { dataExportRule } from './data-export-rule.ts';
import type { RuleKind } from './kind.ts';
import { reportRule } from './report-rule.ts';
import { reportTypeNames } from './report-types.ts';

let service: TestService;
let token: string;
const channels: string[] = [];
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token();
  for (const name of ['first', 'second', 'third']) {
    const data = { channelProps: { recipients: ['a@example.com'] } };
    const { body } = await ask('POST', 'AlertChannels', { name, type: 'EmailUser', enabled: 1, data });
    channels.push(body.data.intgGuid);
  }
});
afterAll(() => service.stop());

const ask = (method: string, path: string, body?: unknown) =>
  service.request(method, `/api/v2/${path}`, { token, body });

const string = fc.string({
  unit: fc.constantFrom('a', 'B', '7', ' ', 'é', '"', '\\', '%', '😀'),
  maxLength: 12,
});

interface MemberSchema {
  readonly type?: string;
  readonly minItems?: number;
  readonly items?: { readonly enum?: string[]; readonly type?: string };
}

/** Any value of a member of `filters`. */
function anyOf({ type, minItems = 0, items }: MemberSchema): fc.Arbitrary<unknown> {
  if (type === 'string') return string;
  if (type === 'integer') return fc.constantFrom(0, 1);
  if (items?.enum) return fc.shuffledSubarray(items.enum, { minLength: minItems });
  if (items?.type === 'integer') return fc.shuffledSubarray([1, 2, 3, 4, 5]);
  return fc.array(fc.stringMatching(/^LOCAL_[A-Z0-9]{5}$/), { maxLength: 3 });
}

function bodyOf({ type, members, reportTypes, check }: RuleKind) {
  const optional = Object.entries(members).map(([name, schema]) => [
    name,
    fc.option(anyOf(schema as MemberSchema)),
  ]);
  const name = string.filter((value) => value.trim() !== '');
  const all: Record<string, fc.Arbitrary<unknown>> = { name, ...Object.fromEntries(optional) };
  const filters = fc.record(all, { requiredKeys: ['name'] });
  const reportNotificationTypes = fc.dictionary(
    fc.constantFrom(...reportTypeNames, 'tomorrow'),
    fc.boolean(),
  );
  return fc
    .record({
      type: fc.constant(type),
      filters,
      intgGuidList: fc.shuffledSubarray(channels, { minLength: 1 }),
      ...(reportTypes && { reportNotificationTypes }),
    })
    .filter((body) => check?.(body as unknown as Parameters<typeof check>[0]) === undefined);
}

describe.each([alertRule, reportRule, dataExportRule])('a rule of $family', (kind) => {
  test('can be recreated from the response of GET, and a PATCH with it changes nothing', async () => {
    for (const body of fc.sample(bodyOf(kind), 25)) {
      const created = await ask('POST', kind.family, body);
      expect([created.status, created.body.message]).toEqual([201, undefined]);
      const { mcGuid } = created.body.data;
      const read = (await ask('GET', `${kind.family}/${mcGuid}`)).body.data;
      expect(read).toEqual(created.body.data);
      const again = await ask('POST', kind.family, read);
      expect([again.status, again.body.message]).toEqual([201, undefined]);
      expect(again.body.data).toEqual({ ...read, mcGuid: again.body.data.mcGuid });
      expect(again.body.data.mcGuid).not.toBe(mcGuid);
      expect((await ask('PATCH', `${kind.family}/${mcGuid}`, read)).body.data).toEqual(read);
    }
  });
});
