import { Collection } from '@vedette/server/collect/inventory/collection';
import { Pack, shippedPacks } from '@vedette/server/detection/packs/pack';
import type { BuiltInPolicy } from '@vedette/server/detection/packs/policy';
import { Frameworks } from '@vedette/server/reports/frameworks/frameworks';
import { jsonArray } from '@vedette/server/search/page';
import { cloudsAt } from '@vedette/server/simulate/clouds/clouds';
import { accusedBy } from '@vedette/server/simulate/clouds/misconfiguration';
import { plantedMisconfigurations } from '@vedette/server/simulate/clouds/planted';
import { createCompany } from '@vedette/server/simulate/company/company';
import { TestDetection } from '@vedette/server/testing/detection';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nothingDenied } from './permission.ts';
import { simulatedTargets } from './simulated-targets.ts';

/** The frameworks of which every check has a policy. */
const completeFrameworks = [
  ...['AWS_CIS_14', 'GCP_CIS13', 'AZURE_CIS_1_5', 'GCP_K8S', 'SUPPLEMENT_K8S_CIS_EKS_1_5'],
] as const;

/** Checks over resources that other controls of the same framework forbid: a clean company has none. */
const withoutResources = new Set([
  ...['gcp_sa_key_rotated_90', 'gcp_apikey_client_restricted', 'gcp_apikey_api_restricted'],
  ...['gcp_apikey_rotated_90', 'azure_kv_key_expiry_policy', 'azure_kv_secret_expiry_policy'],
  // Kubernetes 1.25 removed pod security policies.
  'gcp_gke_psp',
]);

interface Evaluation {
  readonly id: string;
  readonly resource: string;
  readonly status: string;
  readonly reason: string;
  readonly account: Readonly<Record<string, string>>;
}

/** A company whose clouds were collected, with the evaluations of its cloud accounts by policy. */
interface Estate {
  readonly company: ReturnType<typeof createCompany>;
  readonly accounts: ReadonlySet<string>;
  readonly resources: number;
}

let place: TestDetection;
let policies: readonly BuiltInPolicy[];
const frameworkChecks = new Map<string, readonly string[]>();
const estates = new Map<string, Estate>();
let evaluations: readonly Evaluation[];

async function collect(
  name: string,
  seed: number,
  planted = plantedMisconfigurations,
  denied = nothingDenied,
) {
  const { account, telemetry } = place;
  const company = createCompany({ hosts: 25, seed });
  const started = place.clock.now();
  const targets = await simulatedTargets(company, cloudsAt(company, started, planted), denied);
  const { signal } = new AbortController();
  let resources = 0;
  await Promise.all(
    targets.map(async ({ cloudAccount, readings }) => {
      const sink = {
        part: (id: never, part: never) => telemetry.stageResources(account, id, part).then(() => {}),
        finish: (id: never, result: never) => telemetry.finishSnapshot(account, id, result),
      };
      const collection = new Collection({ cloudAccount, sink, clock: place.clock, concurrency: 64 });
      await collection.run(readings, signal, (_, scopes) => {
        for (const scope of scopes) resources += scope.resources;
      });
    }),
  );
  const { accountId, organizationId } = company.cloud;
  const names = [...targets.map(({ cloudAccount }) => cloudAccount), accountId, organizationId];
  estates.set(name, { company, resources, accounts: new Set(names) });
}

/** The evaluations of a company by policies with one of the checks. */
function evaluationsOf(name: string, checks: readonly string[]): Evaluation[] {
  const ids = new Set(policies.flatMap(({ id, check }) => (check && checks.includes(check) ? id : [])));
  const { accounts } = estates.get(name) as Estate;
  return evaluations.filter(
    ({ id, account }) => ids.has(id as never) && Object.values(account).some((value) => accounts.has(value)),
  );
}

async function allEvaluations(provider: string): Promise<Evaluation[]> {
  const { account, clock, telemetry } = place;
  const range = { start: 0, end: clock.now() + 1 };
  const query = { range, filters: [], returns: undefined, provider };
  const all: Evaluation[] = [];
  let page = await telemetry.evaluations.search(account, query);
  for (;;) {
    all.push(...(JSON.parse(jsonArray(page)) as Evaluation[]));
    if (page.next === undefined) return all;
    page = await telemetry.evaluations.nextPage(account, page.next);
  }
}

const accusations = (some: readonly Evaluation[]) =>
  [...new Set(some.filter(({ status }) => status === 'NonCompliant').map(({ resource }) => resource))].sort();

beforeAll(async () => {
  place = await TestDetection.start({ builtIn: true });
  ({ policies } = await Pack.load(shippedPacks()));
  const frameworks = new Frameworks(shippedPacks());
  for (const type of completeFrameworks) {
    const { sections = [] } = (await frameworks.byReportType(type)) ?? {};
    const evaluated = new Set(policies.flatMap(({ check, queryId }) => (check && queryId ? check : [])));
    const checks = sections.flatMap(({ controls }) => controls.flatMap((control) => control.checks));
    frameworkChecks.set(
      type,
      [...new Set(checks)].filter((check) => evaluated.has(check)),
    );
  }
  await collect('planted', 7);
  await collect('clean', 8, []);
  await collect('denied', 9, [], () => true);
  // New resources are left to settle, and long queries are parsed meanwhile.
  for (let round = 0; round < 3; round++) {
    place.clock.advance(20_000);
    await place.tick();
  }
  const ofProviders = await Promise.all(['aws', 'gcp', 'azure', 'k8s'].map(allEvaluations));
  evaluations = ofProviders.flat();
});
afterAll(() => place.stop());

test('the estate has more than 1,000 resources, and misconfigurations of every complete framework', () => {
  for (const name of ['planted', 'clean']) expect(estates.get(name)?.resources).toBeGreaterThan(1_000);
  const counts = completeFrameworks.map((type) => {
    const checks = new Set(frameworkChecks.get(type));
    const isOf = ({ checks: own, elsewhere }: (typeof plantedMisconfigurations)[number]) =>
      [...own, ...(elsewhere?.checks ?? [])].some((check) => checks.has(check));
    return plantedMisconfigurations.filter(isOf).length;
  });
  for (const [index, least] of [12, 12, 12, 5, 5].entries())
    expect(counts[index]).toBeGreaterThanOrEqual(least);
});

describe.each(completeFrameworks)('%s', (type) => {
  test('accuses what was planted, by every check that must find it, and nothing else', () => {
    const { company } = estates.get('planted') as Estate;
    const expected = accusedBy(company, plantedMisconfigurations);
    for (const check of frameworkChecks.get(type) ?? [])
      expect({ check, accused: accusations(evaluationsOf('planted', [check])) }).toEqual({
        ...{ check, accused: expected.get(check) ?? [] },
      });
  });

  test('passes every resource of a company without misconfigurations', () => {
    for (const check of frameworkChecks.get(type) ?? []) {
      const statuses = new Set(evaluationsOf('clean', [check]).map(({ status }) => status));
      expect({ check, statuses: [...statuses] }).toEqual({
        ...{ check, statuses: withoutResources.has(check) ? [] : ['Compliant'] },
      });
    }
  });

  test('assesses nothing where the collector was denied access, and names the reason', () => {
    for (const check of frameworkChecks.get(type) ?? []) {
      const found = evaluationsOf('denied', [check]);
      expect({ check, statuses: [...new Set(found.map(({ status }) => status))] }).toEqual({
        ...{ check, statuses: ['CouldNotAssess'] },
      });
      for (const { reason } of found)
        expect(reason).toMatch(
          /^LW_CFG_\w+ could not be read: .*(?:denied|authori[sz]|allows|forbidden|permission)/i,
        );
    }
  });
});

test('planted misconfigurations are found by the checks of other frameworks, too', () => {
  const { company } = estates.get('planted') as Estate;
  for (const [check, accused] of accusedBy(company, plantedMisconfigurations))
    expect({ check, accused: accusations(evaluationsOf('planted', [check])) }).toEqual({
      ...{ check, accused: expect.arrayContaining([...accused]) },
    });
});

test('no policy of a complete framework fails to be evaluated', () => {
  expect(place.logLines.filter((line) => line.includes('policy evaluation failed'))).toEqual([]);
});
