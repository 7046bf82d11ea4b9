import type { Recommendation, ReportStatus } from '../report.ts';

/** A shape before a word: severity and status are never shown by colour alone. */
export type Mark =
  | { readonly of: 'status'; readonly value: ReportStatus }
  | { readonly of: 'severity'; readonly value: Recommendation['severity'] };

export interface Fact {
  readonly term: string;
  readonly value: string;
  readonly mark?: Mark;
}

export interface Cell {
  readonly text: string;
  readonly mark?: Mark;
  /** The id of the heading that it refers to. */
  readonly target?: string;
}

export interface Column {
  readonly title: string;
  /** Share of the width of the table. */
  readonly share: number;
  readonly kind: 'text' | 'code' | 'number';
}

export interface Table {
  readonly kind: 'table';
  readonly caption: string;
  readonly columns: readonly Column[];
  /** Numbers beside labels: at full width the eye would lose the line. */
  readonly isNarrow?: boolean;
  /** Produced while they are rendered: a report may have thousands. The first cell of a row is its header. */
  readonly rows: Iterable<readonly Cell[]>;
}

export interface ScorePoint {
  readonly at: number;
  /** Percentage. */
  readonly score: number;
}

/** A part of a document, in any format. */
export type Block =
  | { readonly kind: 'title'; readonly text: string; readonly facts: readonly Fact[] }
  | { readonly kind: 'score'; readonly value: string; readonly meaning: string }
  | { readonly kind: 'heading'; readonly level: 2 | 3 | 4; readonly text: string; readonly id: string }
  | { readonly kind: 'paragraph'; readonly text: string; readonly isNote: boolean }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  /** Instructions under a label: numbered steps, prose or lines of code. */
  | { readonly kind: 'steps'; readonly label: string; readonly steps: readonly string[] }
  | { readonly kind: 'code'; readonly label: string; readonly text: string }
  | { readonly kind: 'chart'; readonly points: readonly ScorePoint[]; readonly alternative: string }
  | Table;
