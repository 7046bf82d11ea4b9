import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { create, type Font, type Glyph } from 'fontkit';
import { LruMap } from '../../../platform/lru-map.ts';

/** A glyph with its place, in units of the font. */
interface Placed {
  readonly glyph: Glyph;
  readonly xAdvance: number;
  readonly xOffset: number;
  readonly yOffset: number;
}

/** Prose repeats its words. */
const cachedWords = 4_000;
/** Shaping adds kerning. It takes a hundred times as long as looking up glyphs, so names and code do without it. */
const shaped = /^\p{L}{2,24}[.,;:]?$/u;
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

  constructor(name: string, file: string) {
    this.name = name;
    this.font = create(readFileSync(fileURLToPath(import.meta.resolve(file)))) as Font;
    this.#characters = new Set(this.font.characterSet);
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
    for (const { xAdvance } of this.#place(text)) units += xAdvance;
    return (units * size) / this.font.unitsPerEm;
  }

  widthOf(codePoint: number, size: number): number {
    return (this.#glyph(codePoint).xAdvance * size) / this.font.unitsPerEm;
  }

  /** PDFKit scales the positions, so they are new each time; and the width afterwards, so it is computed when asked for. */
  #layout(text: string): ReturnType<Font['layout']> {
    const all = this.#place(text);
    const positions = all.map(({ xAdvance, xOffset, yOffset }) => ({
      ...{ xAdvance, xOffset, yOffset },
      yAdvance: 0,
    }));
    const run = {
      glyphs: all.map(({ glyph }) => glyph),
      positions,
      get advanceWidth() {
        return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
      },
    };
    return run as unknown as ReturnType<Font['layout']>;
  }

  #place(text: string): Placed[] {
    return text.split(/(?<= )/).flatMap((piece) => {
      const word = piece.trimEnd();
      const rest = [...piece.slice(word.length)].map((sign) => this.#glyph(sign.codePointAt(0) as number));
      return [...this.#placeWord(word), ...rest];
    });
  }

  #placeWord(word: string): readonly Placed[] {
    if (!shaped.test(word)) return [...word].map((sign) => this.#glyph(sign.codePointAt(0) as number));
    const known = this.#words.get(word);
    if (known) return known;
    const { glyphs, positions } = this.#shape(word, { calt: false });
    const all = glyphs.map((glyph, index): Placed => {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
      return { glyph, xAdvance, xOffset, yOffset };
    });
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

const placed = (glyph: Glyph): Placed => ({ glyph, xAdvance: glyph.advanceWidth, xOffset: 0, yOffset: 0 });

export type FontName = 'regular' | 'bold' | 'code';
export type ReportFonts = Readonly<Record<FontName, ReportFont>>;

/** Latin, Greek and Cyrillic. The fonts keep state of the document, so each has its own. */
export const loadFonts = (): ReportFonts => ({
  regular: new ReportFont('regular', '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  bold: new ReportFont('bold', '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
  code: new ReportFont('code', '@expo-google-fonts/jetbrains-mono/400Regular/JetBrainsMono_400Regular.ttf'),
});
