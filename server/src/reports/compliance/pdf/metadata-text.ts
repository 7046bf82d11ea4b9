const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * A string of the document information. PDFKit also writes it into the XML metadata, but without escaping it: there it is
 * formatted as text, and in the information it is used as a value.
 */
export class MetadataText extends String {
  constructor(value: string) {
    // XML does not allow control characters.
    super(value.toWellFormed().replaceAll(/[\p{Cc}\ufffe\uffff]/gu, ' '));
  }

  override toString(): string {
    return this.valueOf().replaceAll(/[&<>]/g, (sign) => entities[sign] as string);
  }
}
