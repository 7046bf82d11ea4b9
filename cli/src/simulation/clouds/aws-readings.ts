import { loadAwsServices } from '@vedette/server/collect/aws/catalogue';
import { awsReadings } from '@vedette/server/collect/aws/plan';
import type { AwsAccount, AwsService, ClientPackage } from '@vedette/server/collect/aws/service';
import { AwsSession, type AwsSessionDeps } from '@vedette/server/collect/aws/session';
import type { Reading } from '@vedette/server/collect/inventory/reading';
import type { SimulatedAwsApi } from '@vedette/server/simulate/clouds/aws/api';

/** The services that the simulated account uses, by prefix. */
const simulated = new Set([
  ...['account', 'iam', 's3', 's3control', 'ec2', 'cloudtrail', 'kms', 'rds', 'lambda', 'eks'],
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

  constructor(api: SimulatedAwsApi, account: AwsAccount) {
    super({ account } as AwsSessionDeps);
    this.#api = api;
  }

  override clientOf(_service: AwsService, region: string): unknown {
    const send = async ({ call, input }: SimulatedCommand & { readonly call: string }) => {
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
): Promise<Reading[]> {
  const services = (await loadAwsServices()).filter(({ prefix }) => simulated.has(prefix));
  const answered = services.map((service) => ({ ...service, load: async () => commands }));
  return awsReadings(new SimulatedSession(api, account), answered, regions);
}
