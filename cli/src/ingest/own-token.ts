import { type OwnToken, ownToken as tokenOf } from '@vedette/server/agents/own-token';
import type { CommandContext } from '../context.ts';

/** The token of a command, which is created if there is none. */
export async function ownToken(context: CommandContext, wanted: OwnToken): Promise<string> {
  const { directory } = await context.open();
  return tokenOf(await context.agentTokens(), directory, wanted);
}
