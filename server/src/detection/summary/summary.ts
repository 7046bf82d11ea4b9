import { eventOf } from '../evaluation/entities.ts';
import type { Row } from '../evaluation/row.ts';
import type { Subject } from '../evaluation/subject.ts';
import { awsCall } from './aws-call.ts';
import { googleCall } from './google-call.ts';
import { hostEvent } from './host-event.ts';
import { kubernetesRequest } from './kubernetes-request.ts';
import { inline } from './phrase.ts';
import { resourceFinding } from './resource-finding.ts';

/** The input of a summary. */
export interface SummaryInput {
  readonly row: Row;
  readonly subject: Subject;
  /** Name of the host, if known. */
  readonly hostname: string | undefined;
  /** Fallback if the row does not fit a sentence; empty if there is no name. */
  readonly name: string;
}

/** Who did what to which resource and where, as one sentence without a full stop. */
export function summaryOf({ row, subject, hostname, name }: SummaryInput): string {
  const event = eventOf(row, subject);
  if (event) return awsCall(event);
  const { datasource, source, subCategory } = subject;
  const sentence =
    (datasource.startsWith('LW_ACT_K8S_') && kubernetesRequest(row)) ||
    (datasource.startsWith('LW_ACT_GCP_') && googleCall(row)) ||
    (subCategory === 'Compliance' && resourceFinding(row)) ||
    (source === 'Agent' && hostEvent(datasource, row, hostname ?? unnamed(row))) ||
    name ||
    columnsOf(row);
  return sentence;
}

/** Hosts whose agents report events but no host records. */
function unnamed({ MID }: Row): string {
  return MID === undefined || MID === null ? 'an unnamed host' : `an unnamed host (id ${MID})`;
}

const maxColumns = 3;

/** Fallback for other queries: the first columns of the row. */
function columnsOf(row: Row): string {
  const named = Object.entries(row).filter(([, value]) => inline(value) !== '');
  return named
    .slice(0, maxColumns)
    .map(([column, value]) => `${column} ${inline(value)}`)
    .join(', ');
}
