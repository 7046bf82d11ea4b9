import type { ReportCloud } from '../compliance/report.ts';

export interface FrameworkControl {
  /** Its number in the framework, such as `1.4` or `AC-2(1)`. */
  readonly id: string;
  /** The framework itself asks for a manual assessment, even if checks exist. */
  readonly isManual: boolean;
  /** Keys of checks; empty if there is none. */
  readonly checks: readonly string[];
}

export interface FrameworkSection {
  readonly id: string;
  readonly title: string;
  readonly controls: readonly FrameworkControl[];
}

/** What a framework is called, without its content. */
export interface FrameworkHead {
  /** As requests name it, such as `AWS_CIS_14`. */
  readonly reportType: string;
  /** As `CIS Amazon Web Services Foundations Benchmark v1.4.0`. */
  readonly title: string;
  readonly cloud: ReportCloud;
  /** The report type with the same content, if this one is an alias. */
  readonly sameAs?: string;
}

export interface FrameworkContent {
  /** Controls of a benchmark are single recommendations; a control of a standard is met by many. */
  readonly kind: 'benchmark' | 'standard';
  readonly sections: readonly FrameworkSection[];
}

export interface Framework extends FrameworkHead, FrameworkContent {}
