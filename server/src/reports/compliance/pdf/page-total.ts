import { type EmbeddedFont, resourcesOf } from './embedded-font.ts';

/**
 * The number of pages, in the footer of each page. It is only known at the end, when the pages are already written, so it
 * is a form that all pages refer to.
 */
export class PageTotal {
  readonly #document: PDFKit.PDFDocument;
  readonly #font: EmbeddedFont;
  readonly #form: PDFKit.PDFKitReference;
  readonly #size: number;

  constructor(document: PDFKit.PDFDocument, font: EmbeddedFont, size: number) {
    this.#document = document;
    this.#font = font;
    this.#size = size;
    this.#form = document.ref({
      ...{ Type: 'XObject', Subtype: 'Form', BBox: [0, -size, size * 10, size * 2] },
      Resources: { Font: { [font.id]: font.ref() } },
    });
  }

  /** Pages are drawn downwards, so the form is turned. */
  draw(x: number, baseline: number): void {
    resourcesOf(this.#document).xobjects.Total = this.#form;
    this.#document.addContent(`q 1 0 0 -1 ${x.toFixed(2)} ${baseline.toFixed(2)} cm /Total Do Q`);
  }

  /** `colour` is an operator. */
  end(text: string, colour: string): void {
    const [glyphs] = this.#font.encode(text);
    this.#form.end(`${colour} BT /${this.#font.id} ${this.#size} Tf <${glyphs.join('')}> Tj ET`);
  }
}
