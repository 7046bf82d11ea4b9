/** A font as PDFKit embeds it. Its types do not declare it, but content of one's own needs it. */
export interface EmbeddedFont {
  /** Its name in the resources of a page. */
  readonly id: string;
  ref(): unknown;
  /** The glyphs as hexadecimal numbers, which become part of the document. */
  encode(text: string): [glyphs: string[], positions: unknown];
}

interface Internals {
  readonly _font: EmbeddedFont;
  readonly page: {
    readonly fonts: Record<string, unknown>;
    readonly xobjects: Record<string, unknown>;
  };
}

/** Embeds a registered font, if it is not yet. */
export function embeddedFont(document: PDFKit.PDFDocument, name: string): EmbeddedFont {
  return (document.font(name) as unknown as Internals)._font;
}

/** What the current page may refer to. */
export const resourcesOf = (document: PDFKit.PDFDocument) => (document as unknown as Internals).page;
