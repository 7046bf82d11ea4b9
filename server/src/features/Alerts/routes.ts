import { Type } from 'typebox';
import type { Alerts } from '../../alerts/alerts.ts';
import { AlertRecord, alertsDataset } from '../../alerts/record.ts';
import { TimelineRecord, timelineRecord } from '../../alerts/timeline-record.ts';
import { findOwned } from '../../control/owned-row.ts';
import type { PagedSearch } from '../../control/scan/paged-search.ts';
import type { SuppressionExceptions } from '../../detection/exceptions/suppression.ts';
import type { AlertProfiles } from '../../detection/profiles/alert-profiles.ts';
import { searchRoutes } from '../../families/search-routes.ts';
import { empty } from '../../http/reply.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { notFound } from '../../platform/errors.ts';
import { omissible } from '../../platform/omissible.ts';
import { CloseBody, CloseResult, readClosing } from './close.ts';
import { alertScopes, type ScopeDeps, scopeNames } from './scopes.ts';

const { description, name } = alertsDataset;
const record = Type.Partial(AlertRecord, { description: 'An alert.' });
const family = { name, description, record, isDataset: true };
const { Details, Investigation, Events, RelatedAlerts, Integrations, Timeline } = alertScopes;
const params = Type.Object({
  alertId: Type.String({ minLength: 1, maxLength: 100, description: 'Identifier of the alert (alertId).' }),
});

const getAlert = defineRoute({
  method: 'GET',
  path: '/api/v2/Alerts/{alertId}',
  family,
  summary: 'Get details of an alert',
  description:
    'The type of `data` depends on the scope: an object for Details, an array for all other scopes.',
  access: 'read',
  params,
  query: Type.Object({
    scope: Type.Enum(scopeNames, { description: `Information to return: ${scopeNames.join(', ')}.` }),
  }),
  cancellable: true,
  replies: {
    200: Type.Object({
      data: Type.Union(
        [
          Details.schema,
          Investigation.schema,
          Events.schema,
          RelatedAlerts.schema,
          Integrations.schema,
          Timeline.schema,
        ],
        { description: 'The information that the scope selects.' },
      ),
    }),
  },
  refuses: ['NOT_FOUND'],
});

const commentOnAlert = defineRoute({
  method: 'POST',
  path: '/api/v2/Alerts/{alertId}/comment',
  family,
  summary: 'Comment on an alert',
  description: 'Adds the comment to the timeline; the status of the alert does not change.',
  access: 'write',
  audit: 'Alert Commented',
  params,
  body: Type.Object({
    comment: Type.String({ minLength: 1, maxLength: 20_000, description: 'The comment.' }),
    format: omissible(
      Type.Enum(['plaintext', 'markdown', ''], {
        description: 'Format of the comment: plaintext or markdown; may be empty.',
      }),
    ),
  }),
  replies: { 201: Type.Object({ data: TimelineRecord }) },
  refuses: ['NOT_FOUND'],
});

const closeAlert = defineRoute({
  method: 'POST',
  path: '/api/v2/Alerts/{alertId}/close',
  family,
  summary: 'Close an alert',
  description:
    'A closed alert stays closed. Violations found later raise a new alert, unless an exception covers them.',
  access: 'write',
  audit: 'Alert Closed',
  params,
  body: CloseBody,
  replies: { 200: CloseResult, 204: empty('The alert was closed.') },
  refuses: ['NOT_FOUND', 'CONFLICT'],
});

export interface AlertRouteDeps extends ScopeDeps {
  readonly alerts: Alerts;
  readonly search: PagedSearch;
  readonly profiles: AlertProfiles;
  readonly silencing: SuppressionExceptions;
}

export const alertRoutes = ({ alerts, search, profiles, silencing, ...deps }: AlertRouteDeps): Route[] => {
  const { clock, store } = deps;
  return [
    ...searchRoutes(
      {
        ...{ path: name, pages: `${name}/search`, description, record, isPaged: true, isListed: true },
        fieldsFor: async () => alertsDataset,
        search: (ownerId, request, signal) => search.search(ownerId, request, signal),
        warn: (ownerId, filters, page) => profiles.types.warn(ownerId, filters, page),
        nextPage: (ownerId, page, signal) => search.nextPage(ownerId, page, signal),
      },
      { clock, family },
    ),
    getAlert.handle(async ({ scope, params, query, signal }) => {
      const key = { owner_id: scope.ownerId, id: alertIdOf(params) };
      const alert = await findOwned(store.read, 'alerts', key);
      const data = await alertScopes[query.scope].show({ ...deps, scope, alert, signal });
      return { status: 200, body: { data } };
    }),
    commentOnAlert.handle(async ({ actor, caller, params, body }) => {
      const task = { actor, userId: caller.userId, alertId: alertIdOf(params) };
      const entry = await alerts.comment(task, body.comment, body.format ?? '');
      return { status: 201, body: { data: timelineRecord(entry) } };
    }),
    closeAlert.handle(async ({ actor, caller, scope, params, body }) => {
      const task = { actor, userId: caller.userId, alertId: alertIdOf(params) };
      const { closing, exceptionMode } = readClosing(body);
      const data = await alerts.close(task, closing, async (tx, alert) => {
        if (!exceptionMode) return { result: undefined };
        const result = await silencing.silence(tx, { actor, scope }, alert, exceptionMode);
        const { exception } = result;
        return exception ? { done: `Exception ${exception.exceptionId} created`, result } : { result };
      });
      return data ? { status: 200, body: { data } } : { status: 204 };
    }),
  ];
};

/** A path parameter that is not a number identifies no alert. */
function alertIdOf({ alertId }: { readonly alertId: string }): number {
  if (/^\d{1,15}$/.test(alertId)) return Number(alertId);
  throw notFound('alert', alertId);
}
