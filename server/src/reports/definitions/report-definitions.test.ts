import { afterAll, beforeAll, expect, test } from 'vitest';
import { Pack, shippedPacks } from '../../detection/packs/pack.ts';
import type { Policies } from '../../detection/policies/policies.ts';
import { TestService } from '../../testing/service.ts';
import { Frameworks } from '../frameworks/frameworks.ts';
import { BuiltInDefinitions } from './built-in-definitions.ts';
import { ReportDefinitions } from './report-definitions.ts';

let service: TestService;
let definitions: ReportDefinitions;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  const { store, clock } = service;
  const frameworks = new Frameworks(shippedPacks());
  const builtIn = new BuiltInDefinitions({ frameworks, pack: await Pack.load(shippedPacks()) });
  definitions = new ReportDefinitions({ store, clock, builtIn, policies: {} as Policies });
});
afterAll(() => service.stop());

test('a custom definition is found by name and identifier for reports, in its own account only', async () => {
  const token = await service.token();
  const send = (method: string, path: string, body: unknown) =>
    service.request(method, `/api/v2/ReportDefinitions${path}`, { token, body });
  const sections = [{ category: '1', title: 'First', policies: ['lacework-global-31', 'lacework-global-1'] }];
  const overrides = [{ policy: 'lacework-global-1', title: 'Own title' }];
  const { body } = await send('POST', '', {
    ...{ reportName: 'Baseline', reportType: 'COMPLIANCE', subReportType: 'Azure' },
    reportDefinition: { sections, overrides },
  });
  const guid = body.data.reportDefinitionGuid;
  await send('PATCH', `/${guid}`, { displayName: 'Title of the report' });

  const profile = await service.request('GET', '/api/v2/UserProfile', { token });
  const ownerId = profile.body.data[0].accounts[0].custGuid;
  const expected = { guid, version: 2, title: 'Title of the report', cloud: 'Azure', sections, overrides };
  expect(await definitions.definitionByName(ownerId, 'Baseline')).toEqual(expected);
  expect(await definitions.definitionByGuid(ownerId, guid)).toEqual(expected);
  expect(await definitions.definitionByName(ownerId, 'Title of the report')).toBeUndefined();
  expect(await definitions.definitionByName('OTHER', 'Baseline')).toBeUndefined();
  expect(await definitions.definitionByGuid('OTHER', guid)).toBeUndefined();
});
