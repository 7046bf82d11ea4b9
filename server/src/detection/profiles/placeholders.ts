import { Refusal } from '../../platform/errors.ts';
import { suggestion } from '../../platform/nearest.ts';
import { quoted } from '../../platform/quoted.ts';
import type { AlertTemplate } from './template.ts';

const placeholder = /\{\{([^{}]*)\}\}/g;

/** The field names between `{{` and `}}`. */
export function placeholdersOf(text: string): string[] {
  return [...text.matchAll(placeholder)].map(([, name]) => (name as string).trim());
}

export function placeholderFor(field: string): string {
  return `{{${field}}}`;
}

/** Rejects a template with fields that the profile lacks; `place` is its position in the body. */
export function checkPlaceholders(template: AlertTemplate, fields: ReadonlySet<string>, place: string): void {
  for (const member of ['eventName', 'description', 'subject'] as const) {
    const text = template[member];
    const unknown = placeholdersOf(text).find((name) => !fields.has(name));
    if (unknown !== undefined) {
      const shown = unknown.slice(0, 60);
      const hint = suggestion(shown, fields, 'The profile that it extends lists the fields.');
      throw invalid(`${place}${member} contains the unknown field ${quoted(shown)}. ${hint}`);
    }
    if (text.replace(placeholder, ' ').includes('{{')) {
      throw invalid(`${place}${member} has '{{' without a field and '}}' after it: complete it.`);
    }
  }
}

function invalid(message: string): Refusal {
  return new Refusal('INVALID_INPUT', message);
}
