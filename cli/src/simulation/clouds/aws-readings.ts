import { loadAwsServices } from '@vedette/server/collect/aws/catalogue';
import { awsReadings } from '@vedette/server/collect/aws/plan';
import type { AwsAccount, AwsService, ClientPackage } from '@vedette/server/collect/aws/service';
import { AwsSession, type AwsSessionDeps } from '@vedette/server/collect/aws/session';
import type { Reading } from '@vedette/server/collect/inventory/reading';
import type { SimulatedAwsApi } from '@vedette/server/simulate/clouds/aws/api';
import { type Denial, nothingDenied } from './permission.ts';

/** The services that the simulated account uses, by prefix. */
const simulated = new Set([
  ...['account', 'iam', 's3', 's3control', 'ec2', 'cloudtrail', 'kms', 'rds', 'lambda', 'eks', 'ecr'],
  ...['accessanalyzer', 'config', 'macie2', 'cloudwatch', 'logs', 'sns'],
]);

class SimulatedCommand {
  readonly input: Readonly<Record<string, unknown>>;

  constructor(input: Readonly<Record<string, unknown>>) {
    this.input = input;
  }
}

/** Any command by its name, and no paginators: answers are complete. */
const commands: ClientPackage = new Proxy(
  {},
  {
    get(_, property) {
      const [, call] = /^(\w+)Command$/.exec(String(property)) ?? [];
      return (
        call &&
        class extends SimulatedCommand {
          readonly call = call;
        }
      );
    },
  },
);

/** The access to an account whose API is simulated: nothing is sent. */
class SimulatedSession extends AwsSession {
  readonly #api: SimulatedAwsApi;
  readonly #denied: Denial;

  constructor(api: SimulatedAwsApi, account: AwsAccount, denied: Denial) {
    super({ account } as AwsSessionDeps);
    this.#api = api;
    this.#denied = denied;
  }

  override clientOf({ prefix, iamPrefix = prefix }: AwsService, region: string): unknown {
    const send = async ({ call, input }: SimulatedCommand & { readonly call: string }) => {
      const action = `${iamPrefix}:${call}`;
      if (this.#denied(action))
        throw Object.assign(new Error(`not authorized to perform: ${action}`), { name: 'AccessDenied' });
      const answer = this.#api.answer(region, call, input);
      if (answer) return answer;
      throw Object.assign(new Error('There is none.'), { name: 'NoSuchEntity' });
    };
    return { send };
  }
}

/** The readings of the collector, by its own declarations. */
export async function simulatedAwsReadings(
  api: SimulatedAwsApi,
  account: AwsAccount,
  regions: readonly string[],
  denied = nothingDenied,
): Promise<Reading[]> {
  const services = (await loadAwsServices()).filter(({ prefix }) => simulated.has(prefix));
  const answered = services.map((service) => ({ ...service, load: async () => commands }));
  return awsReadings(new SimulatedSession(api, account, denied), answered, regions);
}
