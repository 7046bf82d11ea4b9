import type { Report } from '../../command.ts';
import type { Fleet } from './fleet.ts';

/** Connections of one address that a server keeps unless it is configured otherwise. */
const defaultConnections = 512;

/** The result of a fleet that was stopped; a failure if something was not stored. */
export function fleetReport(fleet: Fleet, seconds: number): Report {
  const { counts, company, size } = fleet;
  const { batches, records } = counts.acknowledged;
  const [lost, rejected] = [fleet.owedBatches, fleet.rejectedRecords];
  const { sent, retried, repeated, unanswered } = counts;
  const refused = Object.fromEntries(counts.refused);
  return {
    exitCode: lost + rejected > 0 ? 1 : 0,
    data: {
      ...{ company, agents: size, connected: counts.agents, seconds },
      ...{ batches, records, sent, retried, repeated, unanswered, refused, lost, rejected },
      datasets: Object.fromEntries(counts.stored),
    },
    text: [
      `${counts.agents} of ${size} agents of ${company} reported ${records} records in ${batches} batches in ${seconds.toFixed(0)} s.`,
      `${sent} requests were sent: ${counts.refusals} refused${statuses(counts.refused)}, ${unanswered} without an answer, ${retried} sent again; ${repeated} batches had been stored before.`,
      lost + rejected > 0
        ? `LOST: ${lost} batches were not stored, ${rejected} records were rejected.`
        : 'Every batch was stored.',
      ...(unanswered > 0 && size > defaultConnections ? [connectionHint(size)] : []),
    ].join('\n'),
  };
}

function statuses(refused: ReadonlyMap<number, number>): string {
  const listed = [...refused].map(([status, count]) => `${status}: ${count}`).join(', ');
  return listed === '' ? '' : ` (${listed})`;
}

/** All agents have the address of this host, and keep their connections between reports. */
function connectionHint(agents: number): string {
  return `A server closes the connection that is idle longest when one address has more than ${defaultConnections}. Start it with VEDETTE_MAX_CONNECTIONS_PER_ADDRESS=${agents + 100} to keep all, and with VEDETTE_MAX_CONNECTIONS above that.`;
}
