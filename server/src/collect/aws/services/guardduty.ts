import { arnOf } from '../account-resource.ts';
import { awsResource } from '../aws-resource.ts';
import { type AwsCaller, defineAwsService } from '../service.ts';
import { storedJson } from '../stored-config.ts';

const ids = { kind: 'LW_CFG_AWS_GUARDDUTY_FINDINGS', call: 'ListFindings', type: 'guardduty:finding' };
const findings = { kind: 'LW_CFG_AWS_GUARDDUTY_GET_FINDINGS', call: 'GetFindings', type: ids.type };

/** Archived findings are history, and can be very many. */
const FindingCriteria = { Criterion: { 'service.archived': { Equals: ['false'] } } };

export default defineAwsService({
  name: 'GuardDuty',
  prefix: 'guardduty',
  load: () => import('@aws-sdk/client-guardduty'),
  client: 'GuardDutyClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_GUARDDUTY_DETECTORS',
      type: 'guardduty:detector',
      call: 'ListDetectors',
      items: 'DetectorIds',
      id: '{}',
      arn: arnOf('guardduty', 'detector/{}'),
      each: [
        {
          kind: 'LW_CFG_AWS_GUARDDUTY_GET_DETECTOR',
          call: 'GetDetector',
          input: { DetectorId: '{}' },
        },
      ],
    },
    {
      name: 'ListFindings',
      kinds: { [ids.kind]: ids, [findings.kind]: findings },
      calls: ['ListDetectors', 'ListFindings', 'GetFindings'],
      // A call returns up to 50 findings.
      async read(calls, output) {
        for await (const { detector, page } of pagesOfFindings(calls)) {
          if (page.length === 0) continue;
          const { Findings } = await calls.call('GetFindings', { DetectorId: detector, FindingIds: page });
          for (const finding of (Findings ?? []) as { Id: string; Arn: string }[]) {
            const { region, service, account } = calls;
            const where = { region, service: service.prefix, id: finding.Id, arn: finding.Arn };
            const id = { ...ids, ...where, config: storedJson({ Id: finding.Id }) };
            await output.add(ids.kind, awsResource(account, id));
            const whole = { ...findings, ...where, config: storedJson(finding) };
            await output.add(findings.kind, awsResource(account, whole));
          }
        }
      },
    },
  ],
});

async function* pagesOfFindings(calls: AwsCaller): AsyncGenerator<{ detector: string; page: string[] }> {
  for await (const { DetectorIds } of calls.pages('ListDetectors')) {
    for (const detector of (DetectorIds ?? []) as string[]) {
      const input = { DetectorId: detector, FindingCriteria, MaxResults: 50 };
      for await (const { FindingIds } of calls.pages('ListFindings', input))
        yield { detector, page: (FindingIds ?? []) as string[] };
    }
  }
}
