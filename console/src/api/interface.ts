// Written by npm run console:types from the OpenAPI document.
export interface Operations {
  'POST /api/v2/Alerts/search': {
    body: {
      readonly timeFilter?: { readonly startTime?: string | null; readonly endTime?: string | null } | null;
      readonly filters?:
        | readonly {
            readonly field: string;
            readonly expression: string;
            readonly value?: string | number | boolean | null;
            readonly values?: readonly (string | number | boolean)[] | null;
          }[]
        | null;
      readonly returns?: readonly string[] | null;
      readonly partial?: boolean | null;
    } | null;
    reply: {
      readonly warnings?: readonly string[];
      readonly paging: {
        readonly rows: number;
        readonly totalRows: number;
        readonly urls: { readonly nextPage: string | null };
      };
      readonly missingDays?: readonly string[];
      readonly data: readonly {
        readonly alertId?: number;
        readonly alertName?: string;
        readonly alertType?: string;
        readonly severity?: 'Critical' | 'High' | 'Medium' | 'Low' | 'Info';
        readonly status?: 'Open' | 'Closed';
        readonly alertInfo?: {
          readonly subject: string;
          readonly description: string;
          readonly remediation?: string;
        };
        readonly startTime?: string;
        readonly endTime?: string;
        readonly firstEventTime?: string;
        readonly lastEventTime?: string;
        readonly policyId?: string;
        readonly derivedFields?: {
          readonly category: string;
          readonly sub_category: string;
          readonly source: string;
        };
        readonly reachability?: string;
        readonly alertSpec?: { readonly alertProfile: string; readonly name: string };
        readonly lastUserUpdatedTime?: string;
        readonly lastUserUpdateTime?: string;
      }[];
    };
  };
  'GET /api/v2/Alerts/search/{page}': {
    path: { page: string };
    reply: {
      readonly paging: {
        readonly rows: number;
        readonly totalRows: number;
        readonly urls: { readonly nextPage: string | null };
      };
      readonly missingDays?: readonly string[];
      readonly data: readonly {
        readonly alertId?: number;
        readonly alertName?: string;
        readonly alertType?: string;
        readonly severity?: 'Critical' | 'High' | 'Medium' | 'Low' | 'Info';
        readonly status?: 'Open' | 'Closed';
        readonly alertInfo?: {
          readonly subject: string;
          readonly description: string;
          readonly remediation?: string;
        };
        readonly startTime?: string;
        readonly endTime?: string;
        readonly firstEventTime?: string;
        readonly lastEventTime?: string;
        readonly policyId?: string;
        readonly derivedFields?: {
          readonly category: string;
          readonly sub_category: string;
          readonly source: string;
        };
        readonly reachability?: string;
        readonly alertSpec?: { readonly alertProfile: string; readonly name: string };
        readonly lastUserUpdatedTime?: string;
        readonly lastUserUpdateTime?: string;
      }[];
    };
  };
  'GET /api/v2/Alerts/{alertId}': {
    path: { alertId: string };
    query: {
      scope:
        | 'Details'
        | 'Investigation'
        | 'Events'
        | 'RelatedAlerts'
        | 'Integrations'
        | 'Timeline'
        | 'ObservationTimeline';
    };
    reply: {
      readonly data:
        | {
            readonly alertId: number;
            readonly alertName: string;
            readonly alertType: string;
            readonly severity: 'Critical' | 'High' | 'Medium' | 'Low' | 'Info';
            readonly status: 'Open' | 'Closed';
            readonly alertInfo: {
              readonly subject: string;
              readonly description: string;
              readonly remediation?: string;
            };
            readonly startTime: string;
            readonly endTime: string;
            readonly firstEventTime?: string;
            readonly lastEventTime?: string;
            readonly policyId: string;
            readonly derivedFields: {
              readonly category: string;
              readonly sub_category: string;
              readonly source: string;
            };
            readonly reachability: string;
            readonly alertSpec?: { readonly alertProfile: string; readonly name: string };
            readonly lastUserUpdatedTime?: string;
            readonly lastUserUpdateTime?: string;
            readonly entityMap: Readonly<
              Record<
                string,
                readonly {
                  readonly KEY: Readonly<Record<string, unknown>>;
                  readonly PROPS: Readonly<Record<string, unknown>>;
                }[]
              >
            >;
            readonly violationCount: number;
            readonly listedViolationCount: number;
          }
        | readonly { readonly question: string; readonly answer: string }[]
        | readonly Readonly<Record<string, unknown>>[]
        | readonly {
            readonly eventId: string;
            readonly eventName: string;
            readonly eventType: string;
            readonly severity: string;
            readonly rank: number;
            readonly eventInfo: { readonly subject: string; readonly description: string };
            readonly startTime: string;
            readonly endTime: string;
          }[]
        | readonly {
            readonly alertIntegrationId: string;
            readonly alertId: number;
            readonly integrationType: string;
            readonly intgGuid: string;
            readonly lastSyncTime: string;
            readonly status: string;
            readonly alertIntegrationStatus: string;
            readonly isBidirectional: boolean;
            readonly integrationContext: { readonly id: string; readonly link: string };
            readonly alertChannel?: {
              readonly INTG_GUID: string;
              readonly NAME: string;
              readonly TYPE: string;
              readonly TYPE_NAME: string;
              readonly ENV_GUID: string;
              readonly CREATED_OR_UPDATED_TIME: string;
              readonly CREATED_OR_UPDATED_BY: string;
              readonly ENABLED: number;
              readonly IS_ORG: number;
              readonly STATE: {
                readonly ok: boolean;
                readonly lastUpdatedTime: number;
                readonly lastSuccessfulTime: number;
                readonly details: Readonly<Record<string, unknown>>;
              };
              readonly DATA: Readonly<Record<string, unknown>>;
            };
          }[]
        | readonly {
            readonly id: number;
            readonly alertId: number;
            readonly entryType: string;
            readonly entryAuthorType: string;
            readonly intgGuid?: string;
            readonly message: { readonly value: string; readonly format?: string };
            readonly externalTime: string;
            readonly createdTime: string;
            readonly user: { readonly userGuid: string; readonly username: string };
            readonly updateContext: Readonly<Record<string, unknown>>;
          }[];
    };
  };
  'POST /api/v2/Alerts/{alertId}/comment': {
    path: { alertId: string };
    body: { readonly comment: string; readonly format?: 'plaintext' | 'markdown' | '' | null };
    reply: {
      readonly data: {
        readonly id: number;
        readonly alertId: number;
        readonly entryType: string;
        readonly entryAuthorType: string;
        readonly intgGuid?: string;
        readonly message: { readonly value: string; readonly format?: string };
        readonly externalTime: string;
        readonly createdTime: string;
        readonly user: { readonly userGuid: string; readonly username: string };
        readonly updateContext: Readonly<Record<string, unknown>>;
      };
    };
  };
  'POST /api/v2/Alerts/{alertId}/close': {
    path: { alertId: string };
    body: {
      readonly reason: number;
      readonly comment?: string | null;
      readonly exception?: 'propose' | 'create' | null;
    };
    reply:
      | {
          readonly data: {
            readonly constraints: readonly {
              readonly fieldKey: string;
              readonly fieldValues: readonly (
                | string
                | { readonly key: string; readonly value: string | readonly string[] }
              )[];
            }[];
            readonly wouldHide: number;
            readonly exception?: {
              readonly exceptionId: string;
              readonly policyId: string;
              readonly description: string;
              readonly constraints: readonly {
                readonly fieldKey: string;
                readonly fieldValues: readonly (
                  | string
                  | { readonly key: string; readonly value: string | readonly string[] }
                )[];
              }[];
              readonly expiresAt?: string;
              readonly active: boolean;
              readonly lastUpdateTime: string;
              readonly lastUpdateUser: string;
            };
          };
        }
      | undefined;
  };
}
