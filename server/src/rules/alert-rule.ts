import { unifyCategories } from './categories.ts';
import type { RuleKind } from './kind.ts';
import { alertMembers, generalMembers } from './members.ts';

export const alertRule: RuleKind = {
  family: 'AlertRules',
  type: 'Event',
  members: { ...generalMembers, ...alertMembers },
  defaults: { enabled: 1 },
  unify: unifyCategories,
};
