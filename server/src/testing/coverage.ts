import { Pack, shippedPacks } from '../detection/packs/pack.ts';
import { readPolicyCases, readPolicyResourceCases } from '../detection/packs/policy-cases.ts';
import { grouped } from '../platform/grouped.ts';
import type { Check } from '../reports/frameworks/checks.ts';
import { coverageOf } from '../reports/frameworks/coverage.ts';
import { Frameworks } from '../reports/frameworks/frameworks.ts';

/** Selects report types that contain this; default: all. */
const [nameFilter = ''] = process.argv.slice(2);
const print = (line: string) => process.stdout.write(`${line}\n`);

const pack = await Pack.load(shippedPacks());
const frameworks = new Frameworks(shippedPacks());
const checks = await frameworks.checks();
const implemented = new Set(pack.policies.flatMap(({ check }) => check ?? []));

for (const framework of await frameworks.all()) {
  const { reportType, sameAs } = framework;
  if (!reportType.includes(nameFilter)) continue;
  if (sameAs) {
    print(`${reportType}: same as ${sameAs}`);
    continue;
  }
  const { controls, automated, covered, missing } = coverageOf(framework, checks, implemented);
  print(`${reportType}: ${controls} controls, ${automated} automated, ${covered} covered`);
  if (missing.length > 0) print(`  missing ${missing.length}: ${missing.join(' ')}`);
}

const cases = [
  ...(await readPolicyCases(shippedPacks(), pack)),
  ...(await readPolicyResourceCases(shippedPacks(), pack)),
];
print(`\n${pack.policies.length} policies, ${cases.length} with cases, ${implemented.size} with a check`);
const left = [...checks.values()].filter(({ key }) => !implemented.has(key));
print(`${left.length} of ${checks.size} checks have no policy`);
for (const [cloud, ofCloud] of grouped(left, (check) => check.cloud)) {
  print(`  ${cloud}: ${counted(ofCloud)}`);
  const byService = [...grouped(ofCloud, (check) => check.service)];
  for (const [service, ofService] of byService.sort(([, one], [, other]) => other.length - one.length))
    print(`    ${service}: ${counted(ofService)}`);
}

function counted(some: readonly Check[]): string {
  const attested = some.filter(({ isAttested }) => isAttested).length;
  return `${some.length}${attested > 0 ? `, of which a person attests ${attested}` : ''}`;
}
