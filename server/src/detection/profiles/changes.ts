import { changedMembers } from '../../integrations/changes.ts';
import type { AlertTemplate } from './template.ts';

type Templates = readonly AlertTemplate[];

/**
 * Describes a change for the audit log: templates added or removed and the names of changed members, without values.
 */
export function changesOf(before: Templates, after: Templates): string {
  const [old, current] = [byName(before), byName(after)];
  const names = [...new Set([...old.keys(), ...current.keys()])];
  const changed = names.flatMap((name) => {
    const [from, to] = [old.get(name), current.get(name)];
    if (!from || !to) return [`alerts.${name}`];
    return changedMembers(from, to).map((member) => `alerts.${name}.${member}`);
  });
  if (changed.length > 0) return changed.join(', ');
  return names.join() === [...current.keys()].join() ? 'nothing' : 'order of alerts';
}

function byName(templates: Templates): Map<string, AlertTemplate> {
  return new Map(templates.map((template) => [template.name, template]));
}
