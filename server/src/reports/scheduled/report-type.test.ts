import { expect, test } from 'vitest';
import { shippedPacks } from '../../detection/packs/pack.ts';
import { reportTypeNames, typesWithoutReport } from '../../rules/report-types.ts';
import { Frameworks } from '../frameworks/frameworks.ts';
import { scheduledType } from './report-type.ts';

test('every report of a rule exists, or the rule says that it does not', async () => {
  const frameworks = await new Frameworks(shippedPacks()).heads();
  const without = reportTypeNames.filter((name) => !scheduledType(name, frameworks));
  const all = Object.fromEntries(reportTypeNames.map((name) => [name, true]));
  expect(without.sort()).toEqual(typesWithoutReport(all).sort());
  expect(typesWithoutReport({ constructor: true, hipaa: false })).toEqual(['constructor']);
  expect(scheduledType('constructor', frameworks)).toBeUndefined();
  const named = (name: string) => {
    const type = scheduledType(name, frameworks);
    return type?.kind === 'compliance' ? type.framework.reportType : type?.kind;
  };
  expect(
    ['awsCis14', 'nist800-53Rev4', 'awsIso270012013', 'gcpK8s', 'agentEvents', 'trendReport'].map(named),
  ).toEqual([...['AWS_CIS_14', 'NIST_800-53_Rev4', 'AWS_ISO_27001:2013', 'GCP_K8S', 'alerts', 'trend']]);
});
