import { Type } from 'typebox';
import type { Scanner } from '../control/scan/scanner.ts';
import type { Route } from '../http/route.ts';
import { ruleChange, ruleCreation, ruleForm } from '../rules/form.ts';
import type { RuleBody, RuleKind } from '../rules/kind.ts';
import type { RuleRecord } from '../rules/record.ts';
import type { Rules } from '../rules/rules.ts';
import { fieldsOf } from '../search/record-fields.ts';
import type { RecordFamily } from './record-family.ts';
import { recordRoutes } from './record-routes.ts';

export interface RuleRouteDeps extends Pick<RecordFamily, 'singular' | 'plural' | 'title' | 'org'> {
  readonly kind: RuleKind;
  readonly description: string;
  readonly hasReplacement?: boolean;
  readonly rules: Rules;
  readonly scanner: Scanner;
}

/** The operations that all three families of rules share, and PUT where a family has it. */
export function ruleRoutes(deps: RuleRouteDeps): Route[] {
  const { kind, description, hasReplacement, rules, scanner, ...names } = deps;
  const form = ruleForm(kind);
  const { columns } = fieldsOf(form);
  const declared = {
    ...names,
    family: { name: kind.family, description, record: Type.Unsafe<RuleRecord>(form) },
    id: 'mcGuid',
    creation: Type.Unsafe<RuleBody>(ruleCreation(kind)),
    change: Type.Unsafe<RuleBody>(ruleChange(kind)),
    // A search may ask rules of every kind for the report types; those that have none do not match.
    fields: { columns: { ...columns, reportNotificationTypes: { type: 'json' } } },
    descriptions: {
      change:
        'Members that are left out stay, inside `filters` too, and so do those that are null, except that null empties the ' +
        'optional lists of `filters`, as an empty list does. `intgGuidList` is replaced whole.',
      replace: 'Members that are left out get what they have in a new rule.',
    },
  } as const;
  return recordRoutes(declared, {
    create: ({ actor, scope }, body) => rules.create(actor, { scope, kind }, body),
    list: ({ scope }) => rules.list({ scope, kind }),
    searchable: { scanner, records: ({ scope }) => rules.list({ scope, kind }) },
    get: ({ scope }, guid) => rules.get({ scope, kind }, guid),
    change: ({ actor, scope }, guid, body) => rules.change(actor, { scope, kind }, guid, body),
    ...(hasReplacement && {
      replace: ({ actor, scope }, guid, body) => rules.replace(actor, { scope, kind }, guid, body),
    }),
    remove: ({ actor, scope }, guid) => rules.delete(actor, { scope, kind }, guid),
  });
}
