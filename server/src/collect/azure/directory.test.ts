import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { error, FakeAzure, tenant } from '../../testing/azure.ts';

let azure: FakeAzure;
beforeAll(async () => {
  azure = await FakeAzure.start();
});
afterAll(() => azure.close());
beforeEach(() => {
  azure.receiver.forget();
  azure.replies = {};
  azure.intercept = () => undefined;
});

const urn = (type: string, id: string) => `/tenants/${tenant}/microsoft.graph/${type}/${id}`;

describe('the directory of a tenant', () => {
  test('has users, page by page, under both names', async () => {
    azure.replies = { '/v1.0/users': ['ada', 'ben', 'cem'].map((id) => ({ id, accountEnabled: true })) };
    const { sink } = await azure.collect(tenant);
    for (const kind of ['LW_CFG_AZURE_USER', 'LW_CFG_AZURE_GRAPH_USER'])
      expect(sink.configs(kind)).toEqual(
        Object.fromEntries(
          ['ada', 'ben', 'cem'].map((id) => [urn('user', id), { id, accountEnabled: true }]),
        ),
      );
    expect(sink.of('LW_CFG_AZURE_USER')).toMatchObject([{ cloudAccount: tenant, region: 'global' }]);
    expect(sink.of('LW_CFG_AZURE_GRAPH_USER')[0]?.resources[0]?.facts).toEqual({
      URN: urn('user', 'ada'),
      RESOURCE_ID: 'ada',
      RESOURCE_TYPE: 'microsoft.graph/user',
      RESOURCE_TYPE_VERSION: 'v1.0',
      RESOURCE_REGION: 'global',
      SERVICE: 'microsoft.graph',
      API_KEY: 'users',
      KEYS: '["ada"]',
      TENANT_ID: tenant,
      TENANT_NAME: 'Amberwood',
    });
    const [first] = azure.receiver.received.filter(({ url }) => url.includes('/users?'));
    expect(decodeURIComponent(first?.url ?? '')).toContain(',signInActivity');
  });

  test('has users without their sign-ins where the tenant has no licence for those', async () => {
    azure.replies = { '/v1.0/users': [{ id: 'ada' }] };
    azure.intercept = ({ url }) =>
      url.includes('signInActivity')
        ? error(
            403,
            'Authentication_RequestFromNonPremiumTenantOrB2CTenant',
            'Neither tenant is B2C or has premium.',
          )
        : url.includes('userRegistrationDetails')
          ? error(403, 'Forbidden', 'Tenant does not have a premium license.')
          : undefined;
    const { results } = await azure.collect(tenant);
    expect(results.get('LW_CFG_AZURE_GRAPH_USER')).toMatchObject({ status: 'collected', resources: 1 });
    expect(results.get('LW_CFG_AZURE_GRAPH_USERREGISTRATIONDETAILS')).toMatchObject({
      status: 'not enabled',
    });
  });

  test('has roles with all of their members', async () => {
    azure.replies = {
      '/v1.0/directoryroles': [{ id: 'admins', displayName: 'Global Administrator' }],
      '/v1.0/directoryroles/admins/members': ['ada', 'ben', 'cem'].map((id) => ({ id })),
    };
    const { sink } = await azure.collect(tenant);
    expect(sink.configs('LW_CFG_AZURE_GRAPH_DIRECTORYROLE')).toEqual({
      [urn('directoryrole', 'admins')]: {
        ...{ id: 'admins', displayName: 'Global Administrator' },
        members: [{ id: 'ada' }, { id: 'ben' }, { id: 'cem' }],
      },
    });
  });

  test('has policies, and denies them with the permission that would help', async () => {
    azure.replies = {
      '/v1.0/policies/authorizationpolicy': {
        ...{ '@odata.context': 'https://graph.microsoft.com/v1.0/$metadata', id: 'authorizationPolicy' },
        allowInvitesFrom: 'everyone',
      },
      '/v1.0/identity/conditionalaccess/policies': error(
        ...([403, 'AccessDenied', 'You cannot perform the requested operation.'] as const),
      ),
    };
    const { sink, results } = await azure.collect(tenant);
    expect(sink.configs('LW_CFG_AZURE_GRAPH_AUTHORIZATIONPOLICY')).toEqual({
      [urn('authorizationpolicy', 'authorizationpolicy')]: {
        id: 'authorizationPolicy',
        allowInvitesFrom: 'everyone',
      },
    });
    expect(results.get('LW_CFG_AZURE_GRAPH_CONDITIONALACCESSPOLICY')).toMatchObject({
      status: 'denied',
      permission: 'Policy.Read.All',
      reason:
        'identity/conditionalAccess/policies: 403 AccessDenied: You cannot perform the requested operation.',
    });
  });

  test('has the policy of subscriptions above them', async () => {
    azure.replies = {
      '/providers/microsoft.subscription/policies/default': {
        id: 'providers/Microsoft.Subscription/policies/default',
        properties: { blockSubscriptionsLeavingTenant: true },
      },
    };
    const { sink } = await azure.collect(tenant);
    expect(sink.configs('LW_CFG_AZURE_SUBSCRIPTION_POLICIES')).toEqual({
      // All tenants have it under the same id.
      [`/tenants/${tenant}/providers/microsoft.subscription/policies/default`]: {
        blockSubscriptionsLeavingTenant: true,
      },
    });
  });
});
