import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';

interface Listed {
  readonly name: string;
  readonly createdBy: string;
  readonly guid: string;
  readonly sections: readonly {
    readonly name: string;
    readonly policies: readonly { readonly policyId: string }[];
  }[];
}

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token(service.firstKey, 86_400);
});
afterAll(() => service.stop());

const send = (method: string, path: string, body?: unknown) =>
  service.request(method, `/api/v2/${path}`, { token, body });
const frameworks = async (): Promise<Listed[]> => (await send('GET', 'Frameworks')).body.data;
const cis = 'CIS Amazon Web Services Foundations Benchmark v1.4.0';

describe('the frameworks', () => {
  test('are the report definitions, with policy records as GET /Policies returns them', async () => {
    await send('PATCH', 'Policies', [{ policyId: 'lacework-global-34', severity: 'info' }]);
    const { body: definitions } = await send('GET', 'ReportDefinitions');
    const { body: policies } = await send('GET', 'Policies');
    const byId = new Map<string, object>(
      policies.data.map((policy: { policyId: string }) => [policy.policyId, policy]),
    );
    expect(byId.get('lacework-global-34')).toMatchObject({ severity: 'info' });
    const expected = definitions.data.map(
      (definition: {
        reportName: string;
        subReportType: string;
        createdTime: string;
        reportDefinitionGuid: string;
        reportDefinition: { sections: { title: string; policies: string[] }[] };
      }) => ({
        ...{ name: definition.reportName, domains: [definition.subReportType] },
        sections: definition.reportDefinition.sections.map(({ title, policies }) => ({
          name: title,
          policies: policies.map((id) => byId.get(id)),
        })),
        ...{
          owner: 'Lacework',
          revision: 1,
          lastUpdateTime: definition.createdTime,
          lastUpdateUser: 'SYSTEM',
        },
        ...{
          createdTime: definition.createdTime,
          createdBy: 'SYSTEM',
          guid: definition.reportDefinitionGuid,
        },
      }),
    );
    const listed = await frameworks();
    expect(listed).toHaveLength(52);
    expect(listed).toEqual(expected);
    expect(listed.find(({ name }) => name === cis)?.sections[0]?.policies.length).toBeGreaterThan(0);
  });

  test('include custom ones, without policies that were deleted', async () => {
    const policy = { policyType: 'Manual', title: 'Own', description: 'é', remediation: '', severity: 'low' };
    for (const policyId of ['$account-own-1', '$account-own-2'])
      await send('POST', 'Policies', { ...policy, enabled: false, alertEnabled: false, policyId });
    const own = (await send('GET', 'Policies/local-own-1')).body.data;
    const sections = [
      { title: 'Mixed "titles"', policies: ['local-own-1', 'local-own-2', 'lacework-global-1'] },
      { title: 'Empty', policies: [] },
    ];
    const { body: created } = await send('POST', 'ReportDefinitions', {
      ...{
        reportName: 'Own',
        reportType: 'COMPLIANCE',
        subReportType: 'K8s',
        reportDefinition: { sections },
      },
    });
    const { createdTime, reportDefinitionGuid: guid } = created.data;
    service.clock.advance(1_000);
    const { body: changed } = await send('PATCH', `ReportDefinitions/${guid}`, { displayName: 'Shown' });
    await send('DELETE', 'Policies/local-own-2');
    const all = await frameworks();
    expect(all).toHaveLength(53);
    expect(all.at(-1)).toEqual({
      ...{ name: 'Own', domains: ['K8s'], owner: 'admin@local', revision: 2 },
      sections: [
        {
          name: 'Mixed "titles"',
          policies: [own, expect.objectContaining({ policyId: 'lacework-global-1' })],
        },
        { name: 'Empty', policies: [] },
      ],
      ...{ lastUpdateTime: changed.data.createdTime, lastUpdateUser: 'admin@local' },
      ...{ createdTime, createdBy: 'admin@local', guid },
    });
    expect(changed.data.createdTime).not.toBe(createdTime);

    await service.accounts.create('other');
    const key = await service.member('other@example.com', 'accountAdmin', 'other');
    const foreign = await service.token(key);
    const { body } = await service.request('GET', '/api/v2/Frameworks', { token: foreign });
    expect(body.data).toHaveLength(52);
    await send('DELETE', `ReportDefinitions/${guid}`);
  });

  test('are complete when there are more custom ones than are read at once', async () => {
    const guids: string[] = [];
    for (let index = 0; index < 45; index++) {
      const { body } = await send('POST', 'ReportDefinitions', {
        ...{ reportName: `Own ${index}`, reportType: 'COMPLIANCE', subReportType: 'AWS' },
        reportDefinition: { sections: [{ title: 'x', policies: ['lacework-global-1'] }] },
      });
      guids.push(body.data.reportDefinitionGuid);
    }
    const listed = (await frameworks()).map(({ guid }) => guid);
    expect(listed.slice(52)).toEqual(guids.sort());
    expect(new Set(listed).size).toBe(97);
  });
});
