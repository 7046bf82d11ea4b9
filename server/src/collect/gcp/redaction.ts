import { redacted } from '../inventory/redacted.ts';

/**
 * Where a configuration has secrets, of which only the names are stored. `*` in a path stands for all members or
 * elements, `**` for any depth, and `\.` for a dot in a name.
 */
export type RedactionRule = string | MetadataRule | AddressRule;

/** Key-value metadata of an instance, as a map or as `items`: all values are secrets except those of known settings. */
export interface MetadataRule {
  readonly path: string;
  readonly keep: readonly string[];
}

/** An address whose query and user information may hold a token. */
export interface AddressRule {
  readonly path: string;
  readonly isAddress: true;
}

/** A copy of the configuration without its secrets. An empty value stays: whether a secret is set is no secret. */
export function withoutSecrets(config: unknown, rules: readonly RedactionRule[]): unknown {
  let stored = config;
  for (const rule of rules) {
    const replace = (old: unknown) => replacement(rule, old);
    stored = replacedAt(stored, segmentsOf(pathOf(rule)), replace);
  }
  return stored;
}

function replacement(rule: RedactionRule, old: unknown): unknown {
  if (typeof rule === 'string') return concealed(old);
  return 'keep' in rule ? settingsOnly(old, rule.keep) : plainAddress(old);
}

export function pathOf(rule: RedactionRule): string {
  return typeof rule === 'string' ? rule : rule.path;
}

function segmentsOf(path: string): string[] {
  return path.split(/(?<!\\)\./).map((segment) => segment.replaceAll('\\.', '.'));
}

function concealed(old: unknown): unknown {
  return old === '' || old === null ? old : redacted;
}

function plainAddress(old: unknown): unknown {
  if (typeof old !== 'string' || !URL.canParse(old)) return concealed(old);
  const { origin, pathname, search } = new URL(old);
  return `${origin}${pathname}${search && `?${redacted}`}`;
}

function settingsOnly(old: unknown, keep: readonly string[]): unknown {
  if (typeof old !== 'object' || old === null) return old;
  const { items } = old as { items?: unknown };
  if (Array.isArray(items)) return { ...old, items: items.map((item) => settingItem(item, keep)) };
  return mapped(old, (value, name) => (keep.includes(name) ? value : concealed(value)));
}

function settingItem(item: unknown, keep: readonly string[]): unknown {
  if (typeof item !== 'object' || item === null) return concealed(item);
  const { key, value } = item as { key?: unknown; value?: unknown };
  return keep.includes(String(key)) || value === undefined ? item : { ...item, value: concealed(value) };
}

function replacedAt(
  value: unknown,
  [name, ...rest]: readonly string[],
  replace: (old: unknown) => unknown,
): unknown {
  if (name === undefined) return replace(value);
  if (typeof value !== 'object' || value === null) return value;
  if (name === '**') {
    const here = replacedAt(value, rest, replace) as object;
    return mapped(here, (old) => replacedAt(old, ['**', ...rest], replace));
  }
  if (name !== '*' && (Array.isArray(value) || !Object.hasOwn(value, name))) return value;
  return mapped(value, (old, member) =>
    name === '*' || member === name ? replacedAt(old, rest, replace) : old,
  );
}

function mapped(value: object, replace: (old: unknown, name: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((old, index) => replace(old, String(index)));
  return Object.fromEntries(Object.entries(value).map(([name, old]) => [name, replace(old, name)]));
}
