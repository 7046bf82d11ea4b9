import { formsOf } from './encodings.ts';
import type { OutboundReply } from './outbound.ts';
import { unescapedView, type View } from './unescaped.ts';
import { WindowIndex, windowLength } from './window-index.ts';

/** Shorter texts are words that anybody may say. */
const shortest = 6;
/** Escapes within escapes. */
const mostLayers = 3;
const base64Email = /[\w+/=-]/;

type Range = [start: number, end: number];

/**
 * Takes secrets out of texts, in whatever common encoding the other side repeats them: as they are, escaped for URLs,
 * JSON or HTML, in hex or in base64, also amid other bytes. Of a long one every part is taken out, because receivers and
 * we ourselves cut what is long. The time it takes is linear in the length of the text.
 */
export class Redaction {
  readonly #secrets: readonly string[];
  #index: FormIndex | undefined;

  constructor(secrets: Iterable<string>) {
    this.#secrets = [...new Set(secrets)].filter((secret) => secret.length >= shortest);
  }

  apply(text: string): string {
    if (text.length < shortest || this.#secrets.length === 0) return text;
    // Made when the first text comes: most receivers say nothing.
    this.#index ??= new FormIndex(this.#secrets);
    const ranges: Range[] = [];
    let view: View | undefined = { text };
    for (let layer = 0; view && layer <= mostLayers; layer++) {
      const { starts } = view;
      for (const [start, end] of this.#index.rangesIn(view.text))
        ranges.push(starts ? [starts[start] as number, starts[end] as number] : [start, end]);
      view = unescapedView(view);
    }
    return replaced(text, ranges);
  }
}

/** What is looked for: whole forms that are short, and windows of longer ones. */
class FormIndex {
  readonly #short = new Map<string, boolean>();
  readonly #windows: WindowIndex;
  /** Where the forms in base64 begin among those of the index. */
  readonly #base64From: number;

  constructor(secrets: readonly string[]) {
    const forms = secrets
      .flatMap(formsOf)
      .flatMap(({ text, isBase64 }) => layersOf(text).map((layer) => ({ text: folded(layer), isBase64 })));
    const long = forms.filter(({ text }) => text.length >= windowLength);
    for (const { text, isBase64 } of forms)
      if (text.length >= shortest && text.length < windowLength) this.#short.set(text, isBase64);
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

/** The same length, with all blanks alike: forms of the web write them as plus, and messages break lines elsewhere. */
function folded(text: string): string {
  return text.replace(/[\s+]/g, ' ');
}

/** A form that itself looks escaped reads otherwise in a text whose escapes are taken off. */
function layersOf(form: string): string[] {
  const unescaped = unescapedView({ text: form })?.text;
  return unescaped === undefined ? [form] : [form, unescaped];
}

/** In base64 the letters at both ends hold bits of the secret and of its neighbours: the whole word goes. */
function rangeOf(text: string, start: number, end: number, isBase64: boolean): Range {
  if (!isBase64) return [start, end];
  let [first, last] = [start, end];
  while (first > 0 && base64Email.test(text[first - 1] as string)) first--;
  while (last < text.length && base64Email.test(text[last] as string)) last++;
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

/** What is read of a refusal: more is of no use to people. */
const longestRefusal = 16_384;

/** A reply without the secrets. What is long and no refusal is left as it is: only what is made of it is shown. */
export function redactedReply(reply: OutboundReply, redaction: Redaction): OutboundReply {
  const isRefusal = reply.status >= 300;
  if (!isRefusal && reply.text.length > longestRefusal) return reply;
  const headers = Object.entries(reply.headers).map(([name, value]) => [name, redaction.apply(value)]);
  return {
    ...reply,
    headers: Object.fromEntries(headers),
    text: redaction.apply(reply.text.slice(0, longestRefusal)),
  };
}
