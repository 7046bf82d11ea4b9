import type { Mark } from '../outline/block.ts';
import type { Recommendation, ReportStatus } from '../report.ts';

/** Colours of a document. Each has enough contrast on its background: 4.5 for text, 3 for marks. */
export interface Palette {
  readonly page: string;
  readonly sunken: string;
  readonly text: string;
  readonly muted: string;
  readonly link: string;
  readonly rule: string;
  readonly hairline: string;
  readonly severities: Readonly<Record<Recommendation['severity'], string>>;
  readonly statuses: Readonly<Record<ReportStatus, string>>;
}

export const light: Palette = {
  ...{ page: '#ffffff', sunken: '#f3f5f8', text: '#1a202b', muted: '#545c69', link: '#1d53b8' },
  ...{ rule: '#7f8896', hairline: '#d6dbe2' },
  severities: { 1: '#64001f', 2: '#b5450e', 3: '#b6831f', 4: '#057cd1', 5: '#666a70' },
  statuses: {
    ...{ Compliant: '#1f6f43', NonCompliant: '#a3201d', Suppressed: '#545c69' },
    ...{ RequiresManualAssessment: '#1d53b8', CouldNotAssess: '#7a5200' },
  },
};

export const dark: Palette = {
  ...{ page: '#171c24', sunken: '#10141a', text: '#e6e9ee', muted: '#a2acba', link: '#8ab4f8' },
  ...{ rule: '#707b8b', hairline: '#323b48' },
  severities: { 1: '#f6203f', 2: '#f5986b', 3: '#f9e470', 4: '#82aadc', 5: '#757b85' },
  statuses: {
    ...{ Compliant: '#6fce9a', NonCompliant: '#ff8f86', Suppressed: '#a2acba' },
    ...{ RequiresManualAssessment: '#8ab4f8', CouldNotAssess: '#e6b95c' },
  },
};

export const markColour = ({ severities, statuses }: Palette, mark: Mark) =>
  mark.of === 'severity' ? severities[mark.value] : statuses[mark.value];
