/** Markup that is not escaped again. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Html | readonly Html[] | undefined;

/** Template tag that escapes interpolated strings, so that no value can inject an element. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(strings.reduce((text, string, index) => text + markupOf(values[index - 1]) + string));
}

function markupOf(value: Value): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return escaped(String(value));
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** The Markdown subset of descriptions: paragraphs, `code` and **strong**. */
export function prose(markdown: string): Html[] {
  return markdown
    .split(/\n{2,}/)
    .filter(Boolean)
    .map((paragraph) => html`<p>${inline(paragraph)}</p>`);
}

export function inline(markdown: string): Html {
  const text = escaped(markdown)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');
  return new Html(text);
}
