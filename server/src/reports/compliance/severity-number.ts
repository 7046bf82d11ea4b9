import { type Severity, severities } from '../../detection/policies/severity.ts';
import type { Recommendation } from './report.ts';

/** Reports number severities: 1 is critical, 5 is info. */
export const severityNumber = (severity: Severity) =>
  (severities.indexOf(severity) + 1) as Recommendation['severity'];
