import { setImmediate as nextTurn } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import type { Mark } from '../outline/block.ts';
import { light, markColour } from '../visual/palette.ts';
import { shapeSize, shapesOf, strokeWidth } from '../visual/shape.ts';
import { type EmbeddedFont, embeddedFont, resourcesOf } from './embedded-font.ts';
import { MetadataText } from './metadata-text.ts';
import { PageTotal } from './page-total.ts';
import { loadFonts } from './report-font.ts';
import { styles, TextMeasure, type TextStyle } from './text.ts';

export interface PaperOptions {
  readonly title: string;
  readonly subject: string;
  readonly footer: string;
  /** Epoch milliseconds. */
  readonly created: number;
}

export type Element = PDFKit.PDFStructureElement;
type ElementOptions = PDFKit.Mixins.StructureElementOptions & {
  readonly scope?: 'Column' | 'Row';
  readonly bbox?: readonly [number, number, number, number];
};

const margin = { left: 48, right: 48, top: 62, bottom: 56 };
/** Metadata of a document that conforms to PDF/UA-1. */
const conformance =
  '<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/"><pdfuaid:part>1</pdfuaid:part></rdf:Description>';
/** Bytes that may wait for the output before drawing pauses. */
const maxWaiting = 1_048_576;

/** A tagged PDF document, drawn from top to bottom. Everything drawn is either an element or an artifact. */
export class Paper {
  readonly document: PDFKit.PDFDocument;
  readonly text: TextMeasure;
  readonly left = margin.left;
  /** Of the content. */
  readonly width: number;
  /** Top of what is drawn next. */
  y = margin.top;
  pages = 0;
  readonly #options: PaperOptions;
  readonly #total: PageTotal;
  readonly #embedded = new Map<string, EmbeddedFont>();
  readonly #root: Element;
  readonly #sections: { readonly level: number; readonly element: Element }[] = [];
  readonly #bookmarks: { readonly level: number; readonly item: PDFKit.PDFOutline }[] = [];

  constructor(options: PaperOptions) {
    this.#options = options;
    const info = {
      Title: new MetadataText(`${options.title} - ${options.subject}`),
      ...{ Creator: 'Vedette', Producer: 'Vedette', CreationDate: new Date(options.created) },
    };
    this.document = new PDFDocument({
      ...{ pdfVersion: '1.7', tagged: true, lang: 'en', displayTitle: true },
      ...{ autoFirstPage: false, size: 'A4', margin: 0, font: '', fontLayoutCache: false, info },
    } as unknown as PDFKit.PDFDocumentOptions);
    // The subset 'PDF/UA' of PDFKit would also write lists of glyphs, which are not complete.
    this.document.appendXML(conformance);
    const fonts = loadFonts();
    this.text = new TextMeasure(fonts);
    for (const { name, font } of Object.values(fonts)) {
      this.document.registerFont(name, font as unknown as string);
      this.#embedded.set(name, embeddedFont(this.document, name));
    }
    this.#total = new PageTotal(this.document, this.#embeddedFont('regular'), styles.running.size);
    this.#root = this.document.struct('Document');
    this.document.addStructure(this.#root);
    this.newPage();
    this.width = this.document.page.width - margin.left - margin.right;
  }

  get bottom(): number {
    return this.document.page.height - margin.bottom;
  }

  /** The height of an empty page. */
  get height(): number {
    return this.bottom - margin.top;
  }

  get section(): Element {
    return this.#sections.at(-1)?.element ?? this.#root;
  }

  /** Continues on a new page unless so much fits on this one. */
  reserve(height: number): void {
    if (this.y + height > this.bottom && this.y > margin.top) this.newPage();
  }

  newPage(): void {
    this.document.addPage();
    this.pages++;
    this.y = margin.top;
    this.artifact('Pagination', () => this.#running());
  }

  /** Waits while much is drawn that the output has not taken yet. Fails if the output has failed. */
  async drained(): Promise<void> {
    const { document } = this;
    while (!document.destroyed && document.readableLength > maxWaiting) await nextTurn();
    if (document.destroyed) throw new Error('The document can not be written.', { cause: document.errored });
  }

  /** A section until the next one of this level or above. Ended sections are written, and their memory is free. */
  openSection(level: number): void {
    while ((this.#sections.at(-1)?.level ?? 0) >= level) this.#sections.pop()?.element.end();
    const element = this.document.struct('Sect');
    this.section.add(element);
    this.#sections.push({ level, element });
  }

  bookmark(level: number, title: string): void {
    while ((this.#bookmarks.at(-1)?.level ?? 0) >= level) this.#bookmarks.pop();
    const parent = this.#bookmarks.at(-1)?.item ?? this.document.outline;
    // PDFKit subtracts `left` from the width of the page.
    const place = { left: this.document.page.width, top: this.y - 8 } as unknown as Parameters<
      PDFKit.PDFOutline['addItem']
    >[1];
    this.#bookmarks.push({ level, item: parent.addItem(title, place) });
  }

  element(parent: Element, tag: string, draw?: () => void, options: ElementOptions = {}): Element {
    const element = this.document.struct(tag, options as PDFKit.Mixins.StructureElementOptions);
    parent.add(element);
    if (!draw) return element;
    element.add(draw);
    element.end();
    return element;
  }

  artifact(type: 'Pagination' | 'Layout', draw: () => void): void {
    this.document.markContent('Artifact', { type });
    draw();
    this.document.endMarkedContent();
  }

  /** Draws lines from the top of the first one. */
  lines(lines: readonly string[], style: TextStyle, x: number, top: number, right?: number): void {
    for (const [index, line] of lines.entries()) {
      const start = right === undefined ? x : right - this.text.width(line, style);
      this.#line(line, style, start, top + index * style.leading);
    }
  }

  /** The shape of a status or severity. */
  mark(mark: Mark, x: number, top: number, size: number): void {
    const colour = markColour(light, mark);
    const { document } = this;
    this.artifact('Layout', () => {
      document
        .save()
        .translate(x, top)
        .scale(size / shapeSize);
      document.lineWidth(strokeWidth).fillColor(colour).strokeColor(colour);
      for (const shape of shapesOf(mark)) {
        if ('centre' in shape) document.circle(...shape.centre, shape.radius);
        else {
          for (const [index, point] of shape.points.entries())
            index === 0 ? document.moveTo(...point) : document.lineTo(...point);
          if (shape.paint !== 'stroke') document.closePath();
        }
        shape.paint === 'fill' ? document.fill() : document.stroke();
      }
      document.restore();
    });
  }

  rule(y: number, colour: string, thickness: number, width = this.width): void {
    this.artifact('Layout', () => {
      this.document.save().lineWidth(thickness).strokeColor(colour);
      this.document
        .moveTo(this.left, y)
        .lineTo(this.left + width, y)
        .stroke()
        .restore();
    });
  }

  box(y: number, height: number, colour: string, bar: string): void {
    this.artifact('Layout', () => {
      this.document.rect(this.left, y, this.width, height).fill(colour);
      this.document.rect(this.left, y, 2, height).fill(bar);
    });
  }

  end(): void {
    this.#total.end(` of ${this.pages}`, fillOperator(styles.running.colour));
    for (const { element } of this.#sections.reverse()) element.end();
    this.#root.end();
    this.document.end();
  }

  #line(line: string, style: TextStyle, x: number, top: number): void {
    const { document } = this;
    const y = baselineOf(top, style);
    let at = x;
    for (const { font, text, actual } of this.text.runs(line, style.font)) {
      if (text === '') continue;
      if (actual !== undefined) document.markContent('Span', { actual });
      const embedded = this.#embeddedFont(font.name);
      resourcesOf(document).fonts[embedded.id] ??= embedded.ref();
      // Pages are drawn downwards, so text is turned.
      document.addContent(
        `BT ${fillOperator(style.colour)} /${embedded.id} ${style.size} Tf 1 0 0 -1 ${at.toFixed(2)} ${y.toFixed(2)} Tm ` +
          `${font.show(text, embedded)} TJ ET`,
      );
      if (actual !== undefined) document.endMarkedContent();
      at += font.width(text, style.size);
    }
  }

  #embeddedFont(name: string): EmbeddedFont {
    const embedded = this.#embedded.get(name);
    if (!embedded) throw new Error(`There is no font ${name}.`);
    return embedded;
  }

  #running(): void {
    const { title, subject, footer } = this.#options;
    const style = styles.running;
    const { width, height } = this.document.page;
    const right = width - margin.right;
    const [top, bottom] = [30, height - 38];
    if (this.pages > 1) {
      const half = (right - margin.left) / 2 - 8;
      this.lines(this.text.lines(title, style, half).slice(0, 1), style, margin.left, top);
      this.lines(this.text.lines(subject, style, half).slice(0, 1), style, 0, top, right);
    }
    this.lines([footer], style, margin.left, bottom);
    const place = right - this.text.width(' of 000', style);
    this.lines([`${this.pages}`], style, 0, bottom, place);
    this.#total.draw(place, baselineOf(bottom, style));
  }
}

/** All fonts share the baseline of the text font. */
const baselineOf = (top: number, { leading, size }: TextStyle) => top + leading / 2 + size * 0.36;

function fillOperator(colour: string): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  return `${parts.map((part) => part.toFixed(3)).join(' ')} rg`;
}
