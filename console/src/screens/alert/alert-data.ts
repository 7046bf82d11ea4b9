import { useQuery } from '@tanstack/react-query';
import { call, type Reply } from '../../api/client.ts';
import type { Severity } from '../../design/severity.tsx';

type Data = Reply<'GET /api/v2/Alerts/{alertId}'>['data'];
type Entry = Extract<Data, readonly unknown[]>[number];

/** The types of the scopes, which the interface describes as one union. */
export interface Scopes {
  readonly Details: Exclude<Data, readonly unknown[]>;
  readonly Investigation: readonly Extract<Entry, { readonly question: string }>[];
  readonly Events: readonly Readonly<Record<string, unknown>>[];
  readonly RelatedAlerts: readonly (Extract<Entry, { readonly eventId: string }> & {
    readonly severity: Severity;
  })[];
  readonly Integrations: readonly Extract<Entry, { readonly alertIntegrationId: string }>[];
  readonly Timeline: readonly Extract<Entry, { readonly entryType: string }>[];
}

export function useScope<Scope extends keyof Scopes>(account: string, alertId: string, scope: Scope) {
  return useQuery({
    queryKey: ['alert', account, alertId, scope],
    queryFn: async ({ signal }) => {
      const input = { path: { alertId }, query: { scope } };
      const { data } = await call('GET /api/v2/Alerts/{alertId}', input, { account, signal });
      return data as Scopes[Scope];
    },
  });
}
