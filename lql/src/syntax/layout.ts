/** A document with optional line breaks. */
export interface Layout {
  /** Width on a single line. */
  readonly width: number;
  write(output: Output, indent: number, flat: boolean): void;
}

const lineWidth = 100;

class Output {
  private readonly chunks: string[] = [];
  private column = 0;

  put(text: string): void {
    this.chunks.push(text);
    this.column += text.length;
  }

  breakLine(indent: number): void {
    this.chunks.push(`\n${' '.repeat(indent)}`);
    this.column = indent;
  }

  hasSpaceFor(width: number): boolean {
    return this.column + width <= lineWidth;
  }

  get text(): string {
    return this.chunks.join('');
  }
}

type Content = Layout | string;

const layoutOf = (content: Content): Layout =>
  typeof content === 'string' ? { width: content.length, write: (output) => output.put(content) } : content;

export function concat(...contents: readonly Content[]): Layout {
  const layouts = contents.map(layoutOf);
  return {
    width: layouts.reduce((sum, layout) => sum + layout.width, 0),
    write: (output, indent, flat) => {
      for (const layout of layouts) layout.write(output, indent, flat);
    },
  };
}

function breaking(flatText: string): Layout {
  return {
    width: flatText.length,
    write: (output, indent, flat) => (flat ? output.put(flatText) : output.breakLine(indent)),
  };
}

/** A space, or a line break. */
export const line = breaking(' ');
/** Empty, or a line break. */
export const softLine = breaking('');
/** A mandatory line break, which also breaks the enclosing groups. */
export const hardLine: Layout = { ...breaking(''), width: Number.POSITIVE_INFINITY };

export function indented(content: Content): Layout {
  const { width, write } = layoutOf(content);
  return { width, write: (output, indent, flat) => write(output, indent + 2, flat) };
}

/** Breaks all its optional line breaks unless it fits on the line. */
export function group(content: Content): Layout {
  const { width, write } = layoutOf(content);
  return { width, write: (output, indent, flat) => write(output, indent, flat || output.hasSpaceFor(width)) };
}

/** With a separator. */
export function join(contents: readonly Content[], ...between: readonly Content[]): Layout {
  return concat(...contents.flatMap((content, index) => (index === 0 ? [content] : [...between, content])));
}

export const parenthesised = (contents: readonly Content[]) =>
  group(concat('(', indented(concat(softLine, join(contents, ',', line))), softLine, ')'));

export const braced = (content: Content) => group(concat('{', indented(concat(line, content)), line, '}'));

export function render(layout: Layout): string {
  const output = new Output();
  layout.write(output, 0, false);
  return output.text;
}
