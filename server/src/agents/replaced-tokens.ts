import type { ControlStore, ControlTransaction } from '../control/store.ts';
import { Refusal } from '../platform/errors.ts';
import { quoted } from '../platform/quoted.ts';
import type { AgentTokenRow } from './record.ts';

const day = 24 * 60 * 60 * 1000;
/** Earlier values of a token that are remembered. */
const maxReplaced = 20;

export const expiredMessage =
  'The agent access token was rotated and is no longer accepted: read the current token with AgentAccessTokens, and set it in the configuration of the agent.';

/** A token that was valid once. */
export interface FormerToken {
  readonly ownerId: string;
  readonly name: string;
  /** What to do, if that differs from other invalid tokens. */
  readonly message?: string;
}

/** The token that has replaced an earlier value. */
export function replacedToken(db: ControlStore['read'], fingerprint: string) {
  return db
    .selectFrom('replaced_agent_tokens as replaced')
    .innerJoin('agent_tokens', 'agent_tokens.id', 'replaced.token_id')
    .select(['agent_tokens.owner_id', 'agent_tokens.alias', 'agent_tokens.enabled'])
    .where('replaced.fingerprint', '=', fingerprint)
    .executeTakeFirst();
}

/** Remembers the value of a token that is about to be replaced; returns until when it is accepted. */
export async function keepReplaced(
  tx: ControlTransaction,
  { id, owner_id, fingerprint, alias }: AgentTokenRow,
  { now, graceDays }: { readonly now: number; readonly graceDays: number },
): Promise<number> {
  const accepted_until = now + graceDays * day;
  const earlier = await tx
    .selectFrom('replaced_agent_tokens')
    .select(['fingerprint', 'accepted_until'])
    .where('owner_id', '=', owner_id)
    .where('token_id', '=', id)
    .orderBy('accepted_until', 'desc')
    .execute();
  const excess = earlier.slice(maxReplaced - 1);
  if (graceDays > 0 && excess.some((one) => one.accepted_until > now))
    throw new Refusal(
      'CONFLICT',
      `The token ${quoted(alias)} was rotated ${earlier.length} times within its grace period: wait until the first of these tokens expires, or rotate with graceDays 0.`,
    );
  // The token is known to others: an earlier one that is still accepted would give them the new one.
  if (graceDays === 0)
    await tx
      .updateTable('replaced_agent_tokens')
      .set({ accepted_until: now })
      .where('owner_id', '=', owner_id)
      .where('token_id', '=', id)
      .where('accepted_until', '>', now)
      .execute();
  for (const one of excess)
    await tx.deleteFrom('replaced_agent_tokens').where('fingerprint', '=', one.fingerprint).execute();
  await tx
    .insertInto('replaced_agent_tokens')
    .values({ fingerprint, owner_id, token_id: id, accepted_until })
    .execute();
  return accepted_until;
}
