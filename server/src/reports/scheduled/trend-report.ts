import type { ControlStore } from '../../control/store.ts';
import type { Pack } from '../../detection/packs/pack.ts';
import { severities } from '../../rules/severities.ts';
import type { PostureFindings } from '../../telemetry/posture-findings.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { providers } from '../compliance/compliance-reports.ts';
import { resultsByPolicy } from '../compliance/policy-results.ts';
import { statusOf } from '../compliance/status.ts';
import { dayText } from '../compliance/wording.ts';
import { cloudAccountsOf } from './cloud-accounts.ts';
import type { ComposedReport } from './composed-report.ts';
import type { ReportMessage } from './report-message.ts';

export interface TrendReportDeps {
  readonly store: ControlStore;
  readonly telemetry: Telemetry;
  readonly pack: Pack;
  readonly now: () => number;
}

/** Cloud accounts that an e-mail lists. */
const maxCloudAccounts = 50;

/** Alerts and compliance, compared with the period before. */
export async function trendReport(deps: TrendReportDeps, message: ReportMessage): Promise<ComposedReport> {
  const { ownerId, account, start, end } = message;
  const [current, before] = [
    await alertCounts(deps.store, ownerId, start, end),
    await alertCounts(deps.store, ownerId, 2 * start - end, start),
  ];
  const alerts = severities.map((severity) => {
    const [now = 0, then = 0] = [current.get(severity), before.get(severity)];
    return [`Alerts: ${severity}`, `${now}`, `${then}`, difference(now, then)];
  });
  const when = `from ${dayText(start)} to ${dayText(end - 1)}`;
  return {
    subject: `Weekly trend ${when}`,
    paragraphs: [
      `Alerts of ${account} ${when}, and policies that its cloud accounts violate, compared with a week earlier.`,
    ],
    table: {
      head: ['', 'This week', 'The week before', 'Change'],
      rows: [...alerts, ...(await complianceRows(deps, message))],
    },
    release: () => {},
  };
}

async function alertCounts(
  { read }: ControlStore,
  ownerId: string,
  start: number,
  end: number,
): Promise<Map<string, number>> {
  const rows = await read
    .selectFrom('alerts')
    .select('severity')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('owner_id', '=', ownerId)
    .where('start_at', '>=', start)
    .where('start_at', '<', end)
    .groupBy('severity')
    .execute();
  return new Map(rows.map(({ severity, count }) => [severity, Number(count)]));
}

/** One row for each cloud account: policies with violations, now and a week ago. */
async function complianceRows(
  { store, telemetry, pack, now }: TrendReportDeps,
  { ownerId, account, start, end }: ReportMessage,
): Promise<string[][]> {
  const rows: string[][] = [];
  const policies = pack.policies.filter(({ policyType }) => policyType === 'Compliance').map(({ id }) => id);
  for (const cloud of ['AWS', 'Azure', 'GCP', 'K8s'] as const) {
    const everything = { ownerId, filters: {} };
    const known = await cloudAccountsOf(
      { store, telemetry },
      { id: ownerId, name: account },
      cloud,
      everything,
    );
    for (const { id, name, parent } of known) {
      if (rows.length >= maxCloudAccounts) return rows;
      const json = await telemetry.evaluations.findings({
        ...{ account: ownerId, provider: providers[cloud], cloudAccount: id, parent, policies },
        ...{ at: now(), earlier: [end - start], maxListed: 0 },
      });
      const findings = json === undefined ? undefined : (JSON.parse(json) as PostureFindings);
      if (!findings?.subject) continue;
      const results = resultsByPolicy(findings);
      const violated = policies.filter(
        (policy) => statusOf('automated', results(policy)).status === 'NonCompliant',
      );
      const then = new Set(
        findings.earlier.filter(({ status }) => status === 'NonCompliant').map(({ policy }) => policy),
      );
      rows.push([
        `Violated policies: ${cloud} ${name || id}`,
        ...[`${violated.length}`, `${then.size}`, difference(violated.length, then.size)],
      ]);
    }
  }
  return rows;
}

const difference = (now: number, then: number) => (now > then ? `+${now - then}` : `${now - then}`);
