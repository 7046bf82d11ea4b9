import type { ReportPlan } from './plan.ts';
import type { ComplianceReport } from './report.ts';

export const documentFormats = ['json', 'pdf', 'csv', 'html'] as const;
export type DocumentFormat = (typeof documentFormats)[number];

/** A report, or a plan and what is stored about the cloud account: `findings` is JSON, and large. */
export type ReportSource =
  | { readonly report: ComplianceReport }
  | { readonly plan: ReportPlan; readonly findings: string };

/** A document to write. */
export interface DocumentRequest {
  readonly source: ReportSource;
  readonly format: DocumentFormat;
  /** Exists, and is empty. */
  readonly file: string;
}

/** What a document says on its cover. */
export type ReportSummary = Pick<ComplianceReport, 'title' | 'subject' | 'evaluatedAt' | 'counts'>;

export interface WrittenDocument {
  readonly summary: ReportSummary;
  readonly bytes: number;
  /** Of a PDF. */
  readonly pages?: number;
}
