import type { Actor } from '../control/actor.ts';
import { findOwned, lockOwned } from '../control/owned-row.ts';
import { checkQuota } from '../control/quota.ts';
import { sealingContext } from '../control/secret-key.ts';
import type { ControlStore, ControlTransaction } from '../control/store.ts';
import type { Scope, TokenPurpose } from '../identity/scope.ts';
import { changedMembers } from '../integrations/changes.ts';
import { withMaskedSecrets } from '../integrations/secrets.ts';
import type { Clock } from '../platform/clock.ts';
import { notFound, Refusal } from '../platform/errors.ts';
import { fingerprint } from '../platform/fingerprint.ts';
import { newAgentToken, newSortableId } from '../platform/ids.ts';
import { formatInstant } from '../platform/instant.ts';
import type { Keyring } from '../platform/keyring.ts';
import { masked } from '../platform/masked.ts';
import { quoted } from '../platform/quoted.ts';
import { mergeProps } from './props.ts';
import {
  type AgentTokenProps,
  AgentTokenRecord,
  type AgentTokenRow,
  agentTokenRecord,
  type RotatedToken,
} from './record.ts';
import { expiredMessage, type FormerToken, keepReplaced, replacedToken } from './replaced-tokens.ts';

export interface AgentTokenBody {
  readonly alias: string;
  readonly enabled: 0 | 1;
  readonly props?: AgentTokenProps | null | undefined;
}

/** The purpose of a token never changes. */
export interface NewAgentToken extends AgentTokenBody {
  readonly purpose?: TokenPurpose;
}

/** What a token gives access to. */
export interface AgentAccess {
  readonly scope: Scope;
  readonly purpose: TokenPurpose;
  /** The token to use from now on. */
  readonly successor?: string;
}

type Reader = Pick<Scope, 'ownerId' | 'isReadOnly'>;

/** The tokens with which host agents and collectors authenticate. They are never deleted, only disabled. */
export class AgentTokens {
  readonly #store: ControlStore;
  readonly #keyring: Keyring;
  readonly #clock: Clock;

  constructor(store: ControlStore, keyring: Keyring, clock: Clock) {
    this.#store = store;
    this.#keyring = keyring;
    this.#clock = clock;
  }

  async list({ ownerId, isReadOnly }: Reader): Promise<AgentTokenRecord[]> {
    const rows = await this.#store.read
      .selectFrom('agent_tokens')
      .selectAll()
      .where('owner_id', '=', ownerId)
      .orderBy('id')
      .execute();
    return rows.map((row) => this.#show(row, isReadOnly));
  }

  async get({ ownerId, isReadOnly }: Reader, token: string): Promise<AgentTokenRecord> {
    const row = await findOwned(this.#store.read, 'agent_tokens', keyOf(ownerId, token), missing(token));
    return this.#show(row, isReadOnly);
  }

  #show(row: AgentTokenRow, isReadOnly: boolean): AgentTokenRecord {
    const record = agentTokenRecord(row, this.#keyring);
    return isReadOnly ? withMaskedSecrets(AgentTokenRecord, record) : record;
  }

  /** The account and purpose of an enabled token; its successor, if it has been rotated and is still accepted. */
  async accessOf(token: string): Promise<AgentAccess | undefined> {
    const own = await enabledTokens(this.#store.read)
      .where('agent_tokens.fingerprint', '=', fingerprint('agent token', token))
      .executeTakeFirst();
    if (own) return accessIn(own);
    const current = await enabledTokens(this.#store.read)
      .innerJoin('replaced_agent_tokens as replaced', 'replaced.token_id', 'agent_tokens.id')
      .where('replaced.fingerprint', '=', fingerprint('agent token', token))
      .where('replaced.accepted_until', '>', this.#clock.now())
      .executeTakeFirst();
    return current && { ...accessIn(current), successor: this.#open(current) };
  }

  #open({ id, token }: Pick<AgentTokenRow, 'id' | 'token'>): string {
    return this.#keyring.open(token, sealingContext('agent_tokens', 'token', id));
  }

  /** Describes a token that was valid once, for the audit log and the response. */
  async formerOf(token: string): Promise<FormerToken | undefined> {
    const value = fingerprint('agent token', token);
    const own = await this.#store.read
      .selectFrom('agent_tokens')
      .select(['owner_id', 'alias'])
      .where('fingerprint', '=', value)
      .executeTakeFirst();
    if (own) return { ownerId: own.owner_id, name: `the disabled agent token '${own.alias}'` };
    const replaced = await replacedToken(this.#store.read, value);
    if (!replaced) return undefined;
    const { owner_id: ownerId, alias, enabled } = replaced;
    const name = `an earlier value of the agent token '${alias}'`;
    return { ownerId, name, ...(enabled === 1 && { message: expiredMessage }) };
  }

  /** Gives the token a new value. The earlier one is accepted until the grace period ends. */
  rotate(actor: Actor, token: string, graceDays: number): Promise<RotatedToken> {
    return this.#store.transaction(actor, async (tx, act) => {
      const row = await lockOwned(tx, 'agent_tokens', keyOf(actor.ownerId, token), missing(token));
      const value = newAgentToken();
      const next = {
        ...row,
        fingerprint: fingerprint('agent token', value),
        token: this.#keyring.seal(value, sealingContext('agent_tokens', 'token', row.id)),
      };
      const now = this.#clock.now();
      const until = await keepReplaced(tx, row, { now, graceDays });
      await tx
        .updateTable('agent_tokens')
        .set({ fingerprint: next.fingerprint, token: next.token })
        .where('id', '=', row.id)
        .execute();
      const previousTokenExpiry = formatInstant(until);
      act.describe(`'${row.alias}': the previous token is accepted until ${previousTokenExpiry}`);
      return { ...agentTokenRecord(next, this.#keyring), previousTokenExpiry };
    });
  }

  async create(actor: Actor, body: NewAgentToken): Promise<AgentTokenRecord> {
    const now = this.#clock.now();
    const [id, token] = [newSortableId(now), newAgentToken()];
    const row: AgentTokenRow = {
      id,
      owner_id: actor.ownerId,
      fingerprint: fingerprint('agent token', token),
      token: this.#keyring.seal(token, sealingContext('agent_tokens', 'token', id)),
      alias: body.alias,
      enabled: body.enabled,
      purpose: body.purpose ?? 'agent',
      props: mergeProps({}, body.props),
      created_at: now,
    };
    await this.#store.transaction(actor, async (tx, act) => {
      await refuseDuplicate(tx, row);
      await tx.insertInto('agent_tokens').values(row).execute();
      await checkQuota(tx, 'agent_tokens', row);
      act.describe(`'${row.alias}'`);
    });
    return agentTokenRecord(row, this.#keyring);
  }

  /** Omitted members are kept, in `props` too. */
  change(actor: Actor, token: string, body: Partial<AgentTokenBody>): Promise<AgentTokenRecord> {
    return this.#store.transaction(actor, async (tx, act) => {
      const row = await lockOwned(tx, 'agent_tokens', keyOf(actor.ownerId, token), missing(token));
      const changes = {
        alias: body.alias ?? row.alias,
        enabled: body.enabled ?? row.enabled,
        props: mergeProps(JSON.parse(row.props), body.props),
      };
      const next = { ...row, ...changes };
      await refuseDuplicate(tx, next);
      await tx.updateTable('agent_tokens').set(changes).where('id', '=', row.id).execute();
      await checkQuota(tx, 'agent_tokens', next, row);
      const changed = changedMembers(comparable(row), comparable(next)).join(', ') || 'nothing';
      act.describe(`'${next.alias}': ${changed}`);
      return agentTokenRecord(next, this.#keyring);
    });
  }
}

function enabledTokens(db: ControlStore['read']) {
  return db
    .selectFrom('agent_tokens')
    .innerJoin('accounts', 'accounts.id', 'agent_tokens.owner_id')
    .select(['accounts.id as ownerId', 'accounts.name', 'agent_tokens.purpose'])
    .select(['agent_tokens.id', 'agent_tokens.token'])
    .where('agent_tokens.enabled', '=', 1);
}

function accessIn({
  ownerId,
  name,
  purpose,
}: {
  ownerId: string;
  name: string;
  purpose: TokenPurpose;
}): AgentAccess {
  return { scope: { ownerId, name, isOrganization: false, isReadOnly: true }, purpose };
}

function keyOf(ownerId: string, token: string) {
  return { fingerprint: fingerprint('agent token', token), owner_id: ownerId };
}

/** The id is the token itself, so it is masked. */
function missing(token: string): Refusal {
  return notFound('agent access token', masked(token));
}

async function refuseDuplicate(
  tx: ControlTransaction,
  { id, owner_id, alias }: AgentTokenRow,
): Promise<void> {
  const other = await tx
    .selectFrom('agent_tokens')
    .select('id')
    .where('owner_id', '=', owner_id)
    .where('alias', '=', alias)
    .where('id', '!=', id)
    .executeTakeFirst();
  if (!other) return;
  throw new Refusal('CONFLICT', `tokenAlias ${quoted(alias)} already exists: choose another one.`);
}

/** The members compared to find which of them changed, under their names in the API. */
function comparable({ alias, enabled, props }: AgentTokenRow): object {
  return { tokenAlias: alias, tokenEnabled: enabled, props: JSON.parse(props) };
}
