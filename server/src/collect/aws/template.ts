import { memberAt } from '../inventory/member.ts';
import type { CallInput } from './service.ts';

/** What templates refer to: an item, the items above it, and where it was read. */
export interface TemplateContext {
  readonly item: unknown;
  /** The input of the call. */
  readonly input?: object;
  readonly parent?: TemplateContext;
  readonly account: string;
  readonly region: string;
  readonly partition: string;
}

/**
 * Fills in `{Path.To.Member}`, `{}` for an item that is a string, `{^Member}` for a member of the parent item,
 * `{$input.Member}`, `{$account}`, `{$region}` and `{$partition}`. Undefined if a member is missing.
 */
export function filled(template: string, context: TemplateContext): string | undefined {
  let isComplete = true;
  const result = template.replaceAll(/\{([^}]*)\}/g, (_, name: string) => {
    const value = referenced(name, context);
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    isComplete = false;
    return '';
  });
  return isComplete ? result : undefined;
}

export function filledInput(input: CallInput = {}, context: TemplateContext): Record<string, unknown> {
  const entries = Object.entries(input).map(([name, value]) => [name, filledValue(value, context)]);
  return Object.fromEntries(entries);
}

function filledValue(value: CallInput[string], context: TemplateContext): unknown {
  if (typeof value === 'string') return filled(value, context);
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((element: CallInput[string]) => filledValue(element, context));
  return filledInput(value as CallInput, context);
}

function referenced(name: string, context: TemplateContext): unknown {
  if (name === '$account') return context.account;
  if (name === '$region') return context.region;
  if (name === '$partition') return context.partition;
  if (name.startsWith('$input.')) return memberAt(context.input, name.slice('$input.'.length));
  if (name.startsWith('^')) return context.parent && referenced(name.slice(1), context.parent);
  return memberAt(context.item, name);
}
