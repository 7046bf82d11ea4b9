import { AgentTokens } from '../agents/agent-tokens.ts';
import { agentAccessTokenRoutes } from '../features/AgentAccessTokens/routes.ts';
import type { ControlStoreModule } from './control-store.ts';
import type { Module, ModuleContext } from './module.ts';
import type { RecordSearchModule } from './record-search.ts';

export interface AgentsModule extends Module {
  readonly agentTokens: AgentTokens;
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
  return { agentTokens, routes: agentAccessTokenRoutes({ agentTokens, scanner: search.scanner, graceDays }) };
}
