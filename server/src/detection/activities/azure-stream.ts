import { azureActivity } from '../../telemetry/datasets/LW_ACT_AZURE_ACTIVITY.ts';
import { stringOf } from '../evaluation/trail-event.ts';
import type { ActivityStream, CloudEvent } from './activity-stream.ts';
import { EventTypes } from './event-types.ts';

interface AzureOperation extends Omit<CloudEvent, 'rank'> {
  readonly resultType: string;
}

const types = new EventTypes<AzureOperation>('AzureActivityLogDefaultAlert', [
  ['AzureDiagnosticSettingChanged', operation(/^microsoft\.insights\/(?:diagnosticsettings|logprofiles)\//)],
  ['AzureFailedOperation', ({ resultType }) => /^fail/i.test(resultType)],
  ['AzureRoleAssignmentChanged', operation(/^microsoft\.authorization\/role(?:assignments|definitions)\//)],
  ['AzurePolicyAssignmentChanged', operation(/^microsoft\.authorization\/policyassignments\//)],
  ['AzureNetworkSecurityGroupChanged', operation(/^microsoft\.network\/networksecuritygroups\//)],
  ['AzureFirewallRuleChanged', operation(/^microsoft\.sql\/servers\/firewallrules\//)],
  ['AzureKeyVaultChanged', operation(/^microsoft\.keyvault\/vaults\//)],
]);

/** Operations on Azure. */
export const azureStream: ActivityStream = {
  dataset: azureActivity,
  columns: `EVENT_NAME, EVENT_SOURCE, SUBSCRIPTION_ID, RESOURCE_ID, RESOURCE_REGION, RESULT_TYPE, CALLER, CALLER_IP,
    EVENT:identity.authorization.evidence.principalId as PRINCIPAL`,
  actor: 'AzureActivityLog',
  event(row) {
    const api = stringOf(row.EVENT_NAME);
    if (api === '') return undefined;
    const account = stringOf(row.SUBSCRIPTION_ID);
    const value = stringOf(row.RESOURCE_ID);
    const event: AzureOperation = {
      ...{
        api,
        service: stringOf(row.EVENT_SOURCE),
        region: stringOf(row.RESOURCE_REGION),
        account,
        mfa: false,
      },
      address: stringOf(row.CALLER_IP),
      userName: stringOf(row.CALLER) || stringOf(row.PRINCIPAL),
      userAccount: account,
      principalId: stringOf(row.PRINCIPAL),
      resources: value === '' ? [] : [{ name: 'resourceId', value }],
      resultType: stringOf(row.RESULT_TYPE),
    };
    return { ...event, rank: types.rankOf(event) };
  },
  typeAt: (rank) => types.at(rank),
  modelOf: () => 'AzureActivityLogCep',
};

/** A change; operations are written in upper or mixed case. */
function operation(name: RegExp): (event: AzureOperation) => boolean {
  return ({ api }) => {
    const lower = api.toLowerCase();
    return name.test(lower) && !lower.endsWith('/read');
  };
}
