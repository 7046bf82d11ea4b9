const mostKept = 5_000;

/**
 * Records with a secret that is shown, as they were sent lately: opening the secret costs more than reading the row.
 * What was sealed anew has another text, so nothing old is ever found.
 */
export class ShownTexts {
  readonly #kept = new Map<string, { readonly stored: string; readonly shown: string }>();

  /** The text that is shown for what is stored; `show` makes it when it is not known. */
  of(sealed: string, stored: string, show: () => string): string {
    const known = this.#kept.get(sealed);
    if (known?.stored === stored) return known.shown;
    const shown = show();
    if (this.#kept.size >= mostKept) this.#kept.clear();
    this.#kept.set(sealed, { stored, shown });
    return shown;
  }
}
