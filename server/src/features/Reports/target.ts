import { Refusal } from '../../platform/errors.ts';
import type { ReportTarget } from '../../reports/compliance/compliance-reports.ts';
import type { ReportCloud } from '../../reports/compliance/report.ts';

interface QueryIds {
  readonly primaryQueryId?: string;
  readonly secondaryQueryId?: string;
}

/** The cloud account of a request. Clients send empty parameters, too. */
export function targetOf(
  cloud: ReportCloud,
  { primaryQueryId: primary, secondaryQueryId: secondary }: QueryIds,
): Omit<ReportTarget, 'ownerId'> {
  switch (cloud) {
    case 'AWS':
      return { id: required(primary, 'primaryQueryId', 'the AWS account') };
    case 'K8s':
      return { id: required(primary, 'primaryQueryId', 'the Kubernetes cluster') };
    case 'Azure':
      return {
        id: required(secondary, 'secondaryQueryId', 'the Azure subscription'),
        parent: primary || undefined,
      };
    case 'GCP':
      // Without an organization, a project alone is enough.
      return secondary
        ? { id: secondary, parent: primary || undefined }
        : { id: required(primary, 'secondaryQueryId', 'the Google Cloud project') };
  }
}

function required(given: string | undefined, name: string, what: string): string {
  if (given) return given;
  throw new Refusal('INVALID_INPUT', `${name} is required: add the id of ${what} to the query.`);
}
