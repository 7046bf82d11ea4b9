/** What PDFKit offers for content of its own, beyond its declared types. */
interface EmbeddedFont {
  readonly id: string;
  ref(): unknown;
  /** The glyphs as hexadecimal numbers. */
  encode(text: string): [string[], unknown];
}

interface Internals {
  readonly _font: EmbeddedFont;
  readonly page: { readonly xobjects: Record<string, unknown> };
}

/**
 * The number of pages, in the footer of each page. It is only known at the end, when the pages are already written, so it
 * is a form that all pages refer to.
 */
export class PageTotal {
  readonly #document: PDFKit.PDFDocument;
  readonly #font: EmbeddedFont;
  readonly #form: PDFKit.PDFKitReference;
  readonly #size: number;

  /** In the current font of the document. */
  constructor(document: PDFKit.PDFDocument, size: number) {
    this.#document = document;
    this.#font = (document as unknown as Internals)._font;
    this.#size = size;
    this.#form = document.ref({
      ...{ Type: 'XObject', Subtype: 'Form', BBox: [0, -size, size * 10, size * 2] },
      Resources: { Font: { [this.#font.id]: this.#font.ref() } },
    });
  }

  /** Pages are drawn downwards, so the form is turned. */
  draw(x: number, baseline: number): void {
    (this.#document as unknown as Internals).page.xobjects.Total = this.#form;
    this.#document.addContent(`q 1 0 0 -1 ${x.toFixed(2)} ${baseline.toFixed(2)} cm /Total Do Q`);
  }

  end(text: string, colour: readonly [number, number, number]): void {
    const [glyphs] = this.#font.encode(text);
    const fill = colour.map((part) => (part / 255).toFixed(3)).join(' ');
    this.#form.end(`${fill} rg BT /${this.#font.id} ${this.#size} Tf <${glyphs.join('')}> Tj ET`);
  }
}
