import { Type } from 'typebox';
import type { Family } from '../http/family.ts';
import { empty } from '../http/reply.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { ruleChange, ruleCreation, ruleForm } from '../rules/form.ts';
import type { GivenRule, RuleKind } from '../rules/kind.ts';
import type { RuleRecord } from '../rules/record.ts';
import type { Rules } from '../rules/rules.ts';
import { SearchBody } from '../search/request.ts';
import { fieldsOf, searchRecords } from './record-search.ts';

export interface RuleRouteParts {
  readonly kind: RuleKind;
  /** One of them, for example `an alert rule`. */
  readonly singular: string;
  readonly plural: string;
  /** What the audit log calls it, for example `Alert Rule`. */
  readonly title: string;
  readonly description: string;
  /** Whether the organization has a set of its own. */
  readonly org: boolean;
  readonly hasReplacement?: boolean;
  readonly rules: Rules;
}

const params = Type.Object({
  mcGuid: Type.String({ minLength: 1, maxLength: 200, description: 'Identifier (mcGuid).' }),
});

/** The operations that all three families of rules share, and PUT where a family has it. */
export function ruleRoutes(parts: RuleRouteParts): Route[] {
  const { kind, singular, plural, title, description, org, rules } = parts;
  const form = ruleForm(kind);
  const Record = Type.Unsafe<RuleRecord>(form);
  const one = Type.Object({ data: Record });
  const many = Type.Object({
    data: Type.Unsafe<RuleRecord[]>(Type.Array(Record, { description: 'The rules.' })),
  });
  const { columns } = fieldsOf(form);
  // A search may ask rules of every kind for the report types; those that have none do not match.
  const fields = { columns: { ...columns, reportNotificationTypes: { type: 'json' as const } } };
  const family: Family = { name: kind.family, description, record: form };
  const shared = { family, org } as const;
  const create = defineRoute({
    ...shared,
    method: 'POST',
    path: `/api/v2/${kind.family}`,
    summary: `Create ${singular}`,
    access: 'write',
    audit: `${title} Created`,
    body: ruleCreation(kind),
    replies: { 201: one },
  });
  const list = defineRoute({
    ...shared,
    method: 'GET',
    path: `/api/v2/${kind.family}`,
    summary: `List the ${plural}`,
    access: 'read',
    replies: { 200: many },
  });
  const search = defineRoute({
    ...shared,
    method: 'POST',
    path: `/api/v2/${kind.family}/search`,
    summary: `Search the ${plural}`,
    access: 'read',
    body: SearchBody,
    replies: { 200: many },
    refuses: ['INVALID_FIELD', 'INVALID_FILTER'],
  });
  const get = defineRoute({
    ...shared,
    method: 'GET',
    path: `/api/v2/${kind.family}/{mcGuid}`,
    summary: `Show ${singular}`,
    access: 'read',
    params,
    replies: { 200: one },
    refuses: ['NOT_FOUND'],
  });
  const change = defineRoute({
    ...shared,
    method: 'PATCH',
    path: `/api/v2/${kind.family}/{mcGuid}`,
    summary: `Change members of ${singular}`,
    description:
      'Members that are left out or null stay, inside `filters` too; an empty list empties. `intgGuidList` is replaced whole.',
    access: 'write',
    audit: `${title} Updated`,
    params,
    body: ruleChange(kind),
    replies: { 200: one },
    refuses: ['NOT_FOUND'],
  });
  const replace = defineRoute({
    ...shared,
    method: 'PUT',
    path: `/api/v2/${kind.family}/{mcGuid}`,
    summary: `Replace ${singular}`,
    description: 'Members that are left out get what they have in a new rule.',
    access: 'write',
    audit: `${title} Updated`,
    params,
    body: ruleCreation(kind),
    replies: { 200: one },
    refuses: ['NOT_FOUND'],
  });
  const remove = defineRoute({
    ...shared,
    method: 'DELETE',
    path: `/api/v2/${kind.family}/{mcGuid}`,
    summary: `Delete ${singular}`,
    access: 'write',
    audit: `${title} Deleted`,
    params,
    replies: { 204: empty('It is gone.') },
    refuses: ['NOT_FOUND'],
  });
  return [
    create.handle(async ({ actor, scope, body }) => {
      const data = await rules.create(actor, { scope, kind }, body as GivenRule);
      return { status: 201, body: { data } };
    }),
    list.handle(async ({ scope }) => ({ status: 200, body: { data: await rules.list({ scope, kind }) } })),
    search.handle(async ({ scope, body }) => {
      const found = searchRecords(await rules.list({ scope, kind }), body, fields);
      return { status: 200, body: { data: found as RuleRecord[] } };
    }),
    get.handle(async ({ scope, params: { mcGuid } }) => ({
      status: 200,
      body: { data: await rules.get({ scope, kind }, mcGuid) },
    })),
    change.handle(async ({ actor, scope, params: { mcGuid }, body }) => {
      const data = await rules.change(actor, { scope, kind }, mcGuid, body as GivenRule);
      return { status: 200, body: { data } };
    }),
    ...(parts.hasReplacement
      ? [
          replace.handle(async ({ actor, scope, params: { mcGuid }, body }) => {
            const data = await rules.replace(actor, { scope, kind }, mcGuid, body as GivenRule);
            return { status: 200, body: { data } };
          }),
        ]
      : []),
    remove.handle(async ({ actor, scope, params: { mcGuid } }) => {
      await rules.delete(actor, { scope, kind }, mcGuid);
      return { status: 204 };
    }),
  ];
}
