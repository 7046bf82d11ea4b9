import { CollectError } from '../../../inventory/problem.ts';
import { awsResource, globalRegion } from '../../aws-resource.ts';
import type { AwsCaller, AwsCustomRead } from '../../service.ts';
import { csvRows } from './csv.ts';

const kind = 'LW_CFG_AWS_IAM_USERS_GET_CREDENTIAL_REPORT';
const report = { call: 'GetCredentialReport', type: 'iam:user' };

/** At the rate of calls that is allowed, about half a minute. */
const maxPolls = 150;

/** A report on all users, which AWS makes at most every four hours. All values are strings. */
export const credentialReport: AwsCustomRead = {
  name: 'GetCredentialReport',
  kinds: { [kind]: report },
  calls: ['GenerateCredentialReport', 'GetCredentialReport'],
  async read(calls, output) {
    await generated(calls);
    const { Content } = await calls.call('GetCredentialReport');
    if (!(Content instanceof Uint8Array)) throw new Error('GetCredentialReport returned no report.');
    for (const row of csvRows(Buffer.from(Content).toString())) {
      const { user, arn } = row;
      if (!user || !arn) throw new Error('The credential report has a row without user or arn.');
      const where = { id: user, arn, region: globalRegion, service: calls.service.prefix };
      const config = JSON.stringify(row);
      await output.add(kind, awsResource(calls.account, { ...report, ...where, config }));
    }
  },
};

async function generated(calls: AwsCaller): Promise<void> {
  for (let poll = 0; poll < maxPolls; poll++) {
    const { State } = await calls.call('GenerateCredentialReport');
    if (State === 'COMPLETE') return;
  }
  throw new CollectError({ status: 'failed', reason: 'AWS did not complete the credential report in time.' });
}
