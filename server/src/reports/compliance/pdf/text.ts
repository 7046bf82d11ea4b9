import { light } from '../visual/palette.ts';
import { type FontName, type ReportFont, type ReportFonts, replacement } from './report-font.ts';

export interface TextStyle {
  readonly font: FontName;
  readonly size: number;
  /** Distance of the lines. */
  readonly leading: number;
  readonly colour: string;
}

const { text, muted } = light;
/** In points. */
export const styles = {
  title: { font: 'bold', size: 22, leading: 28, colour: text },
  score: { font: 'bold', size: 26, leading: 32, colour: text },
  h2: { font: 'bold', size: 15, leading: 20, colour: text },
  h3: { font: 'bold', size: 11, leading: 15, colour: text },
  h4: { font: 'bold', size: 9.5, leading: 13, colour: text },
  body: { font: 'regular', size: 9, leading: 13, colour: text },
  note: { font: 'regular', size: 9, leading: 13, colour: muted },
  fact: { font: 'regular', size: 8.5, leading: 12, colour: text },
  term: { font: 'regular', size: 8.5, leading: 12, colour: muted },
  label: { font: 'bold', size: 8.5, leading: 12, colour: text },
  cell: { font: 'regular', size: 8, leading: 11, colour: text },
  head: { font: 'regular', size: 7.5, leading: 10, colour: muted },
  code: { font: 'code', size: 7.5, leading: 11, colour: text },
  running: { font: 'regular', size: 7.5, leading: 10, colour: muted },
} as const satisfies Readonly<Record<string, TextStyle>>;

/** A part of a line in one font. */
export interface Run {
  readonly font: ReportFont;
  /** What is drawn. */
  readonly text: string;
  /** What it stands for, if no font has the characters. */
  readonly actual?: string;
}

/** Names of resources have no spaces, but signs after which a reader expects a break. */
const breakable = /[/:._\-,;=&?@|)\]}]/;

/** Every font has these. */
const plain = /^[ -~]*$/;

/** Measures and breaks text in the fonts of a report. */
export class TextMeasure {
  readonly #fonts: ReportFonts;

  constructor(fonts: ReportFonts) {
    this.#fonts = fonts;
  }

  /** The lines of a text; spaces are kept in code. */
  lines(value: string, style: TextStyle, width: number): string[] {
    const isCode = style.font === 'code';
    return value
      .toWellFormed()
      .replaceAll('\t', '  ')
      .split(/\r\n|\n|\r/)
      .flatMap((paragraph) => this.#paragraph(isCode ? paragraph : paragraph.trim(), style, width));
  }

  width(value: string, style: TextStyle): number {
    return this.runs(value, style.font).reduce(
      (sum, { font, text }) => sum + font.width(text, style.size),
      0,
    );
  }

  /** Splits a line by font: the style's own, the text font for what it lacks, and replacements for what both lack. */
  runs(line: string, name: FontName): Run[] {
    const own = this.#fonts[name];
    if (plain.test(line)) return [{ font: own, text: line }];
    const runs: { font: ReportFont; text: string; actual?: string }[] = [];
    for (const sign of line) {
      const font = this.#fontOf(sign, own);
      const last = runs.at(-1);
      if (!font) {
        if (last?.actual !== undefined) {
          last.text += replacement;
          last.actual += sign;
        } else runs.push({ font: own, text: replacement, actual: sign });
      } else if (last?.font === font && last.actual === undefined) last.text += sign;
      else runs.push({ font, text: sign });
    }
    return runs;
  }

  #fontOf(sign: string, own: ReportFont): ReportFont | undefined {
    const codePoint = sign.codePointAt(0) as number;
    if (own.has(codePoint)) return own;
    return this.#fonts.regular.has(codePoint) ? this.#fonts.regular : undefined;
  }

  /** Widths of words are summed up: no font moves glyphs across a space. */
  #paragraph(paragraph: string, style: TextStyle, width: number): string[] {
    const lines: string[] = [];
    let [line, used] = ['', 0];
    for (const piece of paragraph.match(/ *[^ ]+/g) ?? []) {
      const added = this.width(piece, style);
      if (used + added <= width) {
        line += piece;
        used += added;
        continue;
      }
      if (line) lines.push(line);
      line = line ? piece.trimStart() : piece;
      used = this.width(line, style);
      while (used > width) {
        const end = this.#breakWithin(line, style, width);
        lines.push(line.slice(0, end));
        line = line.slice(end);
        used = this.width(line, style);
      }
    }
    if (line || lines.length === 0) lines.push(line);
    return lines;
  }

  /** The number of UTF-16 units of a long word that fit: to the last sign that allows a break, or as many as possible. */
  #breakWithin(word: string, { font, size }: TextStyle, width: number): number {
    const own = this.#fonts[font];
    let [used, end, preferred] = [0, 0, 0];
    for (const sign of word) {
      const drawn = this.#fontOf(sign, own);
      const codePoint = (drawn ? sign : replacement).codePointAt(0) as number;
      used += (drawn ?? own).widthOf(codePoint, size);
      if (used > width && end > 0) break;
      end += sign.length;
      if (breakable.test(sign)) preferred = end;
    }
    // A break far to the left would leave most of the line empty.
    return preferred > end * 0.6 ? preferred : end;
  }
}
