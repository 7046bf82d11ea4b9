/** A report as an e-mail. */
export interface ComposedReport {
  readonly subject: string;
  /** Lines; the same in plain text and HTML. */
  readonly paragraphs: readonly string[];
  readonly table?: { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };
  readonly attachment?: { readonly name: string; readonly type: string; readonly file: string };
  /** Deletes the attachment. */
  release(): void;
}

/** The report can not be written now, or never; the message is for the operator. */
export class ReportUnavailable extends Error {
  override readonly name = 'ReportUnavailable';
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.isFinal = isFinal;
  }
}
