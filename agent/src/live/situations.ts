import { containerSituations } from './containers.ts';
import { fileSituations } from './files.ts';
import { keySituations } from './keys.ts';
import { loginSituations } from './logins.ts';
import { processSituations } from './processes.ts';
import type { Situation } from './situation.ts';
import { userSituations } from './users.ts';
import { webServerSituations } from './web-server.ts';

/** What the built-in policies over hosts look for, by the folder of the policy. */
export const situations: Readonly<Record<string, Situation>> = {
  ...containerSituations,
  ...fileSituations,
  ...keySituations,
  ...loginSituations,
  ...processSituations,
  ...userSituations,
  ...webServerSituations,
};

/** The policies whose records the agent does not report, and why. */
export const unseen: Readonly<Record<string, string>> = {
  'host/network/mining-pool-lookup':
    'The agent does not capture packets: DNS queries come from the log of the resolver.',
};
