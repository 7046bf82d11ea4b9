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

/** The operations that all three rule families share; PUT is optional. */
export function ruleRoutes(deps: RuleRouteDeps): Route[] {
  const { kind, description, hasReplacement, rules, scanner, ...names } = deps;
  const schema = ruleForm(kind);
  const { columns } = fieldsOf(schema);
  const definition = {
    ...names,
    family: { name: kind.family, description, record: Type.Unsafe<RuleRecord>(schema) },
    id: 'mcGuid',
    creation: Type.Unsafe<RuleBody>(ruleCreation(kind)),
    change: Type.Unsafe<RuleBody>(ruleChange(kind)),
    // Clients filter rules of every kind by report type; rules without report types do not match.
    fields: { columns: { ...columns, reportNotificationTypes: { type: 'json' } } },
    descriptions: {
      change:
        'Members that are omitted or null keep their values, also within `filters`, except that null clears an optional ' +
        'array of `filters`, as an empty array does. `intgGuidList` replaces the array.',
      replace: 'Omitted members get the values that they have in a new rule.',
    },
  } as const;
  return recordRoutes(definition, {
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
