import type { ReadingOutput } from '../../../inventory/reading.ts';
import { meaningOf } from '../../aws-problem.ts';
import { awsResource, globalRegion } from '../../aws-resource.ts';
import type { AwsCaller, AwsCustomRead } from '../../service.ts';
import { storedJson } from '../../stored-config.ts';

const kind = 'LW_CFG_AWS_IAM_GET_SERVICE_LAST_ACCESSED_DETAILS';
const details = { call: 'GetServiceLastAccessedDetails', type: 'iam:service-last-accessed' };

/** Jobs that run at the same time. */
const batch = 20;
const maxPolls = 60;

interface Principal {
  readonly arn: string;
  readonly id: string;
}

/** The services that users and roles used, which AWS finds out in a job for each of them. */
export const serviceLastAccessed: AwsCustomRead = {
  name: 'GetServiceLastAccessedDetails',
  kinds: { [kind]: details },
  calls: ['ListUsers', 'ListRoles', 'GenerateServiceLastAccessedDetails', 'GetServiceLastAccessedDetails'],
  async read(calls, output) {
    let waiting: Principal[] = [];
    for await (const principal of principals(calls)) {
      waiting.push(principal);
      if (waiting.length < batch) continue;
      await readBatch(calls, output, waiting);
      waiting = [];
    }
    await readBatch(calls, output, waiting);
  },
};

async function* principals(calls: AwsCaller): AsyncGenerator<Principal> {
  // Roles of services can not be changed by the account.
  for (const noun of ['User', 'Role'])
    for await (const page of calls.pages(`List${noun}s`, { MaxItems: 1_000 }))
      for (const one of (page[`${noun}s`] ?? []) as Record<string, string>[])
        if (!one.Path?.startsWith('/aws-service-role/'))
          yield { arn: String(one.Arn), id: String(one[`${noun}Name`]) };
}

async function readBatch(
  calls: AwsCaller,
  output: ReadingOutput,
  batch: readonly Principal[],
): Promise<void> {
  const jobs: { principal: Principal; JobId: unknown }[] = [];
  for (const principal of batch)
    await explained(calls, output, principal, async () => {
      const { JobId } = await calls.call('GenerateServiceLastAccessedDetails', { Arn: principal.arn });
      jobs.push({ principal, JobId });
    });
  for (const { principal, JobId } of jobs)
    await explained(calls, output, principal, async () => {
      const ServicesLastAccessed = await result(calls, JobId);
      const where = { ...principal, region: globalRegion, service: calls.service.prefix };
      const config = storedJson({ ServicesLastAccessed });
      await output.add(kind, awsResource(calls.account, { ...details, ...where, config }));
    });
}

/** A principal of which it can not be found out does not stop the others. */
async function explained(
  calls: AwsCaller,
  output: ReadingOutput,
  { arn }: Principal,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    calls.signal.throwIfAborted();
    const meaning = meaningOf(error, {}, `${details.call} of ${arn}`, `iam:${details.call}`);
    // It was deleted since it was listed.
    if (meaning !== 'none') await output.unread(kind, arn, meaning);
  }
}

async function result(calls: AwsCaller, JobId: unknown): Promise<unknown[]> {
  const services: unknown[] = [];
  let Marker: unknown;
  for (let poll = 0; poll < maxPolls; poll++) {
    const page = await calls.call('GetServiceLastAccessedDetails', { JobId, ...(Marker ? { Marker } : {}) });
    if (page.JobStatus === 'IN_PROGRESS') continue;
    if (page.JobStatus !== 'COMPLETED') throw new Error(`The job ended with ${page.JobStatus}.`);
    services.push(...((page.ServicesLastAccessed ?? []) as unknown[]));
    if (!page.IsTruncated) return services;
    ({ Marker } = page);
  }
  throw new Error(`The job was not complete after ${maxPolls} calls.`);
}
