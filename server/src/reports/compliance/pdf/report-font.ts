import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { create, type Font, type Glyph } from 'fontkit';
import { LruMap } from '../../../platform/lru-map.ts';
import type { EmbeddedFont } from './embedded-font.ts';

/** A glyph with its width, in units of the font. */
interface Placed {
  readonly glyph: Glyph;
  readonly xAdvance: number;
}

/** Prose repeats its words. */
const cachedWords = 4_000;
/** Shaping adds kerning. It takes a hundred times as long as looking up glyphs, so names and code do without it. */
const shaped = /^\p{L}{2,24}[.,;:]?$/u;
/** Fonts have empty glyphs for some control characters, with which a name could hide a part of itself. */
const invisible = /\p{C}/u;
/** Shown for a character that no font has. Both families have it. */
export const replacement = '□';

/**
 * A font of the reports. Its layout replaces that of fontkit, which would take a minute for a report of ten thousand
 * findings. Figures have the same width, so that columns of numbers are aligned.
 */
export class ReportFont {
  readonly name: string;
  /** With the faster layout, for PDFKit. */
  readonly font: Font;
  readonly #characters: ReadonlySet<number>;
  readonly #placed = new Map<number, Placed>();
  readonly #words = new LruMap<readonly Placed[]>(cachedWords);
  readonly #shape: Font['layout'];
  /** By glyph: its number in the document. */
  readonly #codes = new Map<number, string>();

  constructor(name: string, file: string) {
    this.name = name;
    this.font = create(readFileSync(fileURLToPath(import.meta.resolve(file)))) as Font;
    this.#characters = new Set(
      this.font.characterSet.filter((one) => !invisible.test(String.fromCodePoint(one))),
    );
    this.#shape = this.font.layout.bind(this.font);
    for (const glyph of this.#shape('0123456789', { tnum: true, calt: false }).glyphs)
      this.#placed.set(glyph.codePoints[0] as number, placed(glyph));
    this.font.layout = (text: string) => this.#layout(text);
  }

  has(codePoint: number): boolean {
    return this.#characters.has(codePoint);
  }

  /** In points. */
  width(text: string, size: number): number {
    let units = 0;
    for (const word of wordsOf(text)) for (const { xAdvance } of this.#place(word)) units += xAdvance;
    return (units * size) / this.font.unitsPerEm;
  }

  widthOf(codePoint: number, size: number): number {
    return (this.#glyph(codePoint).xAdvance * size) / this.font.unitsPerEm;
  }

  /** The text as operand of the operator TJ: glyphs, and corrections of their distance. */
  show(text: string, embedded: EmbeddedFont): string {
    let operand = '[<';
    for (const word of wordsOf(text)) {
      const all = this.#place(word);
      for (const [index, { glyph, xAdvance }] of all.entries()) {
        const code = this.#codes.get(glyph.id) ?? this.#encode(word, all, index, embedded);
        const kerning = glyph.advanceWidth - xAdvance;
        operand +=
          kerning === 0 ? code : `${code}> ${Math.round((kerning * 1_000) / this.font.unitsPerEm)} <`;
      }
    }
    return `${operand}>]`;
  }

  #encode(word: string, all: readonly Placed[], index: number, embedded: EmbeddedFont): string {
    const [codes] = embedded.encode(word);
    for (const [at, { glyph }] of all.entries()) this.#codes.set(glyph.id, codes[at] as string);
    return codes[index] as string;
  }

  /** PDFKit scales the positions, so they are new each time. */
  #layout(text: string): ReturnType<Font['layout']> {
    const all = wordsOf(text).flatMap((word) => this.#place(word));
    const run = {
      glyphs: all.map(({ glyph }) => glyph),
      positions: all.map(({ xAdvance }) => ({ xAdvance, yAdvance: 0, xOffset: 0, yOffset: 0 })),
    };
    return run as unknown as ReturnType<Font['layout']>;
  }

  #place(word: string): readonly Placed[] {
    const known = this.#words.get(word);
    if (known) return known;
    if (!shaped.test(word)) return Array.from(word, (sign) => this.#glyph(sign.codePointAt(0) as number));
    const { glyphs, positions } = this.#shape(word, { calt: false });
    const all = positions.some(({ xOffset, yOffset }) => xOffset !== 0 || yOffset !== 0)
      ? Array.from(word, (sign) => this.#glyph(sign.codePointAt(0) as number))
      : glyphs.map((glyph, index) => ({ glyph, xAdvance: positions[index]?.xAdvance ?? 0 }));
    this.#words.set(word, all);
    return all;
  }

  #glyph(codePoint: number): Placed {
    const known = this.#placed.get(codePoint);
    if (known) return known;
    const one = placed(this.font.glyphForCodePoint(codePoint));
    this.#placed.set(codePoint, one);
    return one;
  }
}

const placed = (glyph: Glyph): Placed => ({ glyph, xAdvance: glyph.advanceWidth });

/** Words and the spaces between them. */
const wordsOf = (text: string): string[] => text.match(/ +|[^ ]+/g) ?? [];

export type FontName = 'regular' | 'bold' | 'code';
export type ReportFonts = Readonly<Record<FontName, ReportFont>>;

/** Latin, Greek and Cyrillic. The fonts keep state of the document, so each has its own. */
export const loadFonts = (): ReportFonts => ({
  regular: new ReportFont('regular', '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  bold: new ReportFont('bold', '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
  code: new ReportFont('code', '@expo-google-fonts/jetbrains-mono/400Regular/JetBrainsMono_400Regular.ttf'),
});
