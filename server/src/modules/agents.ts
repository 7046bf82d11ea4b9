import { AgentTokens } from '../agents/agent-tokens.ts';
import { ownToken } from '../agents/own-token.ts';
import { agentAccessTokenRoutes } from '../features/AgentAccessTokens/routes.ts';
import { Directory } from '../identity/directory.ts';
import type { ControlStoreModule } from './control-store.ts';
import type { Module, ModuleContext } from './module.ts';
import type { RecordSearchModule } from './record-search.ts';

export interface AgentsModule extends Module {
  readonly agentTokens: AgentTokens;
  /** Token for the agent of the server's own host, created if there is none. */
  localAgentToken(): Promise<string>;
}

export interface AgentsDeps {
  readonly control: ControlStoreModule;
  readonly search: RecordSearchModule;
}

export function agentsModule(
  { clock, configuration }: ModuleContext,
  { control, search }: AgentsDeps,
): AgentsModule {
  const agentTokens = new AgentTokens(control.store, control.keyring, clock);
  const graceDays = configuration.VEDETTE_TOKEN_GRACE_DAYS;
  const directory = new Directory(control.store, 'vedette');
  return {
    agentTokens,
    localAgentToken: () => ownToken(agentTokens, directory, { alias: 'local agent', purpose: 'agent' }),
    routes: agentAccessTokenRoutes({ agentTokens, scanner: search.scanner, graceDays }),
  };
}
