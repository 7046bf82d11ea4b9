import { formsOf } from './encodings.ts';
import type { OutboundReply } from './outbound.ts';
import { unescapedView, type View } from './unescaped.ts';
import { WindowIndex, windowLength } from './window-index.ts';

/** Shorter strings may be ordinary words. */
const minLength = 6;
/** Maximum depth of nested escapes. */
const maxLayers = 3;
const base64Character = /[\w+/=-]/;

type Range = [start: number, end: number];

/**
 * Removes secrets from a string in all common encodings: plain, escaped for URLs, JSON or HTML, in hex or base64, also
 * among other bytes. Of a long secret every fragment is removed, because replies may be truncated. Runs in linear time.
 */
export class Redaction {
  readonly #secrets: readonly string[];
  #index: SecretIndex | undefined;

  constructor(secrets: Iterable<string>) {
    this.#secrets = [...new Set(secrets)].filter((secret) => secret.length >= minLength);
  }

  apply(text: string): string {
    if (text.length < minLength || this.#secrets.length === 0) return text;
    // Built lazily: most receivers return no text.
    this.#index ??= new SecretIndex(this.#secrets);
    const ranges: Range[] = [];
    let view: View | undefined = { text };
    for (let layer = 0; view && layer <= maxLayers; layer++) {
      const { starts } = view;
      for (const [start, end] of this.#index.rangesIn(view.text))
        ranges.push(starts ? [starts[start] as number, starts[end] as number] : [start, end]);
      view = unescapedView(view);
    }
    return replaced(text, ranges);
  }
}

/** The search index: short encodings as a whole, and windows of longer ones. */
class SecretIndex {
  readonly #short = new Map<string, boolean>();
  readonly #windows: WindowIndex;
  /** Offset of the base64 encodings in the window index. */
  readonly #base64From: number;

  constructor(secrets: readonly string[]) {
    const forms = secrets
      .flatMap(formsOf)
      .flatMap(({ text, isBase64 }) => layersOf(text).map((layer) => ({ text: folded(layer), isBase64 })));
    const long = forms.filter(({ text }) => text.length >= windowLength);
    for (const { text, isBase64 } of forms)
      if (text.length >= minLength && text.length < windowLength) this.#short.set(text, isBase64);
    const [plain, base64] = [false, true].map((kind) =>
      long.filter(({ isBase64 }) => isBase64 === kind).map(({ text }) => text),
    ) as [string[], string[]];
    this.#windows = new WindowIndex([...plain, ...base64]);
    this.#base64From = plain.reduce((length, text) => length + text.length + 1, 0);
  }

  rangesIn(original: string): Range[] {
    const text = folded(original);
    const ranges: Range[] = [];
    this.#windows.find(text, (start, place) => {
      const end = start + windowLength;
      const last = ranges.at(-1);
      if (last && end <= last[1]) return;
      const isBase64 = place >= this.#base64From;
      if (last && start <= last[1] && !isBase64) last[1] = end;
      else ranges.push(rangeOf(original, start, end, isBase64));
    });
    for (const [form, isBase64] of this.#short) {
      let at = text.indexOf(form);
      while (at !== -1) {
        const range = rangeOf(original, at, at + form.length, isBase64);
        ranges.push(range);
        at = text.indexOf(form, range[1]);
      }
    }
    return ranges;
  }
}

/** Normalises whitespace without changing the length: web forms encode spaces as plus, and messages wrap lines. */
function folded(text: string): string {
  return text.replace(/[\s+]/g, ' ');
}

/** An encoding that looks escaped itself changes when escapes are decoded. */
function layersOf(form: string): string[] {
  const unescaped = unescapedView({ text: form })?.text;
  return unescaped === undefined ? [form] : [form, unescaped];
}

/** Base64 characters at both ends mix bits of the secret and its neighbours, so the whole word is removed. */
function rangeOf(text: string, start: number, end: number, isBase64: boolean): Range {
  if (!isBase64) return [start, end];
  let [first, last] = [start, end];
  while (first > 0 && base64Character.test(text[first - 1] as string)) first--;
  while (last < text.length && base64Character.test(text[last] as string)) last++;
  return [first, last];
}

function replaced(text: string, ranges: readonly Range[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const [start, end] of [...ranges].sort(([one], [other]) => one - other)) {
    if (end <= done) continue;
    if (start > done || parts.length === 0) parts.push(text.slice(done, start), '***');
    done = end;
  }
  return parts.join('') + text.slice(done);
}

/** Maximum length of an error reply that is read. */
const maxErrorLength = 16_384;

/** Redacts a reply. A long successful reply is returned unchanged, because only derived values are shown. */
export function redactedReply(reply: OutboundReply, redaction: Redaction): OutboundReply {
  const isError = reply.status >= 300;
  if (!isError && reply.text.length > maxErrorLength) return reply;
  const headers = Object.entries(reply.headers).map(([name, value]) => [name, redaction.apply(value)]);
  return {
    ...reply,
    headers: Object.fromEntries(headers),
    text: redaction.apply(reply.text.slice(0, maxErrorLength)),
  };
}
