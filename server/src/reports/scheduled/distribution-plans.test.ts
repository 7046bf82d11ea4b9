import { afterAll, beforeAll, expect, test } from 'vitest';
import { Pack, shippedPacks } from '../../detection/packs/pack.ts';
import { TestService } from '../../testing/service.ts';
import { BuiltInDefinitions, builtInGuid } from '../definitions/built-in-definitions.ts';
import { Frameworks } from '../frameworks/frameworks.ts';
import { DistributionPlans } from './distribution-plans.ts';

let service: TestService;
let plans: DistributionPlans;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  const frameworks = new Frameworks(shippedPacks());
  const builtIn = new BuiltInDefinitions({ frameworks, pack: await Pack.load(shippedPacks()) });
  plans = new DistributionPlans(service.store, builtIn);
});
afterAll(() => service.stop());

const post = async (path: string, body: object) =>
  (await service.request('POST', `/api/v2/${path}`, { token: await service.token(), body })).body.data;

test('plans the reports of built-in and custom definitions, without reading the content of the latter', async () => {
  const { intgGuid } = await post('AlertChannels', {
    ...{ name: 'team', type: 'EmailUser', enabled: 1 },
    data: { channelProps: { recipients: ['team@example.com'] } },
  });
  const { reportDefinitionGuid: custom } = await post('ReportDefinitions', {
    ...{ reportName: 'Ours', reportType: 'COMPLIANCE', subReportType: 'Azure' },
    reportDefinition: { sections: [{ category: '1', title: 'First', policies: ['lacework-global-39'] }] },
  });
  const distribute = async (distributionName: string, reportDefinitionGuid: string) =>
    (
      await post('ReportDistributions', {
        ...{ reportDefinitionGuid, distributionName, frequency: 'weekly', alertChannels: [intgGuid] },
        data: { severities: [], violations: [], resourceGroups: [], integrations: [] },
      })
    ).reportDistributionGuid;
  const own = await distribute('own', custom);
  const shipped = await distribute('shipped', builtInGuid('AWS_CIS_14'));
  const dangling = await distribute('dangling', builtInGuid('AWS_CIS_S3'));
  await service.store.housekeeping(async (tx) => {
    await tx.updateTable('report_definitions').set({ report_definition: 'not read' }).execute();
    await tx
      .updateTable('report_distributions')
      .set({ report_definition_guid: 'DELETED' })
      .where('id', '=', dangling)
      .execute();
  });
  const planned = await plans.reports();
  const typeOf = (key: string) => planned.find((report) => report.key === key)?.type;
  expect(planned).toHaveLength(2);
  expect(typeOf(own)).toEqual({ kind: 'compliance', cloud: 'Azure', report: { definition: custom } });
  expect(typeOf(shipped)).toEqual({
    ...{ kind: 'compliance', cloud: 'AWS' },
    report: { reportType: 'AWS_CIS_14' },
  });
  expect(planned[0]).toMatchObject({ accounts: [{ name: 'local' }], channels: [intgGuid] });
  // A custom definition of another account is none.
  await service.store.housekeeping((tx) =>
    tx.updateTable('report_definitions').set({ owner_id: 'OTHER' }).execute(),
  );
  expect((await plans.reports()).map(({ key }) => key)).toEqual([shipped]);
});
