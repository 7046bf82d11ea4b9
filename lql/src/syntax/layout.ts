/** A document with optional line breaks. */
export interface Layout {
  /** Width on a single line. */
  readonly width: number;
  write(page: Page, indent: number, flat: boolean): void;
}

const lineWidth = 100;

class Page {
  private readonly parts: string[] = [];
  private column = 0;

  put(text: string): void {
    this.parts.push(text);
    this.column += text.length;
  }

  breakLine(indent: number): void {
    this.parts.push(`\n${' '.repeat(indent)}`);
    this.column = indent;
  }

  fits(width: number): boolean {
    return this.column + width <= lineWidth;
  }

  get text(): string {
    return this.parts.join('');
  }
}

type Part = Layout | string;

const layoutOf = (part: Part): Layout =>
  typeof part === 'string' ? { width: part.length, write: (page) => page.put(part) } : part;

export function row(...parts: readonly Part[]): Layout {
  const layouts = parts.map(layoutOf);
  return {
    width: layouts.reduce((sum, layout) => sum + layout.width, 0),
    write: (page, indent, flat) => {
      for (const layout of layouts) layout.write(page, indent, flat);
    },
  };
}

function breaking(flatText: string): Layout {
  return {
    width: flatText.length,
    write: (page, indent, flat) => (flat ? page.put(flatText) : page.breakLine(indent)),
  };
}

/** A space, or a line break. */
export const blank = breaking(' ');
/** Empty, or a line break. */
export const edge = breaking('');
/** A mandatory line break, which also breaks the enclosing groups. */
export const end: Layout = { ...breaking(''), width: Number.POSITIVE_INFINITY };

export function indented(part: Part): Layout {
  const { width, write } = layoutOf(part);
  return { width, write: (page, indent, flat) => write(page, indent + 2, flat) };
}

/** Breaks all its optional line breaks unless it fits on the line. */
export function group(part: Part): Layout {
  const { width, write } = layoutOf(part);
  return { width, write: (page, indent, flat) => write(page, indent, flat || page.fits(width)) };
}

/** With a separator. */
export function joined(parts: readonly Part[], ...between: readonly Part[]): Layout {
  return row(...parts.flatMap((part, index) => (index === 0 ? [part] : [...between, part])));
}

export const parenthesised = (parts: readonly Part[]) =>
  group(row('(', indented(row(edge, joined(parts, ',', blank))), edge, ')'));

export const braced = (part: Part) => group(row('{', indented(row(blank, part)), blank, '}'));

export function render(layout: Layout): string {
  const page = new Page();
  layout.write(page, 0, false);
  return page.text;
}
