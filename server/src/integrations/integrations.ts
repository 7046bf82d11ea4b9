import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Actor } from '../control/actor.ts';
import { findOwned, lockOwned } from '../control/owned-row.ts';
import { checkQuota } from '../control/quota.ts';
import { sealingContext } from '../control/secret-key.ts';
import type { ControlStore, ControlTransaction } from '../control/store.ts';
import type { Scope } from '../identity/scope.ts';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/errors.ts';
import { fingerprint } from '../platform/fingerprint.ts';
import { newGuid } from '../platform/ids.ts';
import type { Keyring } from '../platform/keyring.ts';
import { recordSql } from '../search/record-sql.ts';
import type { IntegrationCatalogue } from './catalogue.ts';
import { changedMembers } from './changes.ts';
import type { IntegrationData, IntegrationFamily, IntegrationType } from './declaration.ts';
import { refuseRedirection } from './destination.ts';
import { checkData, checkLength, checkProps } from './form.ts';
import {
  dataOf,
  IntegrationRecord,
  type IntegrationRow,
  integrationRecord,
  integrationsDataset,
  secretsOf,
  withSealed,
} from './record.ts';
import { RecordCache } from './record-cache.ts';
import {
  fillSecrets,
  keepSecrets,
  lacksSecret,
  type Secrets,
  showsSecret,
  takeSecrets,
  withheldSecrets,
  withMaskedSecrets,
} from './secrets.ts';
import { type IntegrationState, untriedState } from './state.ts';

export interface IntegrationBody {
  readonly name: string;
  readonly type: string;
  readonly enabled: 0 | 1;
  readonly data: IntegrationData;
  readonly props?: IntegrationData | null | undefined;
}

export type IntegrationChange = {
  readonly [Member in keyof IntegrationBody]?: IntegrationBody[Member] | null | undefined;
};

export interface IntegrationDeps {
  readonly store: ControlStore;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly catalogue: IntegrationCatalogue;
}

/** The context of a request: the owner's integrations of one family. */
export interface IntegrationSet {
  readonly scope: Scope;
  readonly family: IntegrationFamily;
  /** URL of the service as the client addressed it. */
  readonly url: string;
}

export class Integrations {
  readonly #deps: IntegrationDeps;
  readonly #cache = new RecordCache();

  constructor(deps: IntegrationDeps) {
    this.#deps = deps;
  }

  async list(set: IntegrationSet, type?: string, subtype?: string): Promise<IntegrationRecord[]> {
    return (await this.listJson(set, type, subtype)).map((json) => JSON.parse(json) as IntegrationRecord);
  }

  /** The records as JSON strings, for responses that need no further processing. */
  async listJson(set: IntegrationSet, type?: string, subtype?: string): Promise<string[]> {
    const { catalogue, store } = this.#deps;
    const typesWithShownSecrets = catalogue.of(set.family).filter(({ data }) => showsSecret(data));
    const rows = await store.read
      .selectFrom('integrations')
      .select(recordSql(integrationsDataset, store.dialect).as('json'))
      .select('server_token')
      .select(secretsOfTypes(typesWithShownSecrets).as('secrets'))
      .where('owner_id', '=', set.scope.ownerId)
      .where('family', '=', set.family)
      .$if(type !== undefined, (query) => query.where('type', '=', type as string))
      .$if(subtype !== undefined, (query) => query.where('subtype', '=', subtype as string))
      .orderBy('type')
      .orderBy('id')
      .execute();
    const records = rows.map(({ json, ...sealed }) => this.#jsonOf(json, sealed, set));
    if (!set.scope.isReadOnly) return records;
    return records.map((json) => JSON.stringify(this.#masked(JSON.parse(json), set)));
  }

  async get(set: IntegrationSet, id: string): Promise<IntegrationRecord> {
    return this.#show(await findOwned(this.#deps.store.read, 'integrations', keyOf(set, id)), set);
  }

  async create(actor: Actor, set: IntegrationSet, body: IntegrationBody): Promise<IntegrationRecord> {
    const { catalogue, clock, keyring } = this.#deps;
    const type = catalogue.find(set.family, body.type, body.data);
    const id = newGuid(set.scope.name);
    const token = type.issuesServerToken ? newServerToken() : undefined;
    const data = checkData(type, body.data);
    const row: IntegrationRow = {
      id,
      owner_id: set.scope.ownerId,
      family: set.family,
      type: type.type,
      subtype: type.subtype ?? null,
      name: body.name,
      enabled: body.enabled,
      is_org: set.scope.isOrganization ? 1 : 0,
      is_default: 0,
      ...this.#stored(id, type, data),
      props: propsOf(type, body.props),
      server_token: sealed(keyring, 'server_token', id, token),
      server_token_fingerprint: token === undefined ? null : fingerprint('server token', token),
      updated_at: clock.now(),
      updated_by: actor.userName,
    };
    await this.#deps.store.transaction(actor, async (tx, act) => {
      await this.#refuseDuplicate(tx, type, row);
      await tx.insertInto('integrations').values(row).execute();
      await checkQuota(tx, 'integrations', row);
      act.describe(`${set.family} ${type.type} '${body.name}' (${id})`);
    });
    return this.#show(row, set);
  }

  /** Omitted members are kept; `data` is replaced as a whole, except for secrets. The type cannot change. */
  change(actor: Actor, set: IntegrationSet, id: string, body: IntegrationChange): Promise<IntegrationRecord> {
    const { store, catalogue, keyring, clock } = this.#deps;
    return store.transaction(actor, async (tx, act) => {
      const row = await lockOwned(tx, 'integrations', keyOf(set, id));
      const type = catalogue.get(set.family, row.type, row.subtype);
      const secrets = secretsOf(row, keyring);
      const update = body.data && withSubtype(type, body.data);
      const data = update && checkData(type, keepSecrets(type.data, update, secrets));
      if (data) {
        const keptSecrets = withheldSecrets(type.data, update, secrets);
        refuseRedirection(type.data, keptSecrets, { before: dataOf(row, keyring), after: data });
      }
      const next: IntegrationRow = {
        ...row,
        name: body.name ?? row.name,
        enabled: body.enabled ?? row.enabled,
        ...(data && this.#stored(id, type, data, row)),
        ...(body.props && type.props && { props: propsOf(type, body.props, row.props) }),
        updated_at: clock.now(),
        updated_by: actor.userName,
      };
      await this.#refuseDuplicate(tx, type, next);
      await tx.updateTable('integrations').set(next).where('id', '=', id).execute();
      await checkQuota(tx, 'integrations', next, row);
      const now = secretsOf(next, keyring);
      const changed = changedMembers(comparable(row, secrets), comparable(next, now)).join(', ') || 'nothing';
      act.describe(`${set.family} ${row.type} '${next.name}' (${id}): ${changed}`);
      return this.#show(next, set);
    });
  }

  async delete(actor: Actor, set: IntegrationSet, id: string): Promise<void> {
    await this.#deps.store.transaction(actor, async (tx, act) => {
      const row = await lockOwned(tx, 'integrations', keyOf(set, id));
      if (row.is_default === 1) {
        throw new Refusal(
          'CONFLICT',
          `'${row.name}' is the default channel of the account and can not be deleted: disable it instead.`,
        );
      }
      await tx.deleteFrom('integrations').where('id', '=', id).execute();
      act.describe(`${set.family} ${row.type} '${row.name}' (${id})`);
    });
  }

  /** Adds settings that have their own endpoint, optionally restricted to one type. */
  addProps(
    actor: Actor,
    set: IntegrationSet,
    id: string,
    props: IntegrationData,
    only?: { readonly type: string; readonly member: string },
  ): Promise<IntegrationRecord> {
    const { store, clock } = this.#deps;
    return store.transaction(actor, async (tx, act) => {
      const row = await lockOwned(tx, 'integrations', keyOf(set, id));
      if (only && row.type !== only.type) {
        throw new Refusal(
          'INVALID_INPUT',
          `${only.member} must be the id of an integration of type ${only.type}, not ${row.type}.`,
        );
      }
      const changes = {
        props: JSON.stringify({ ...JSON.parse(row.props ?? '{}'), ...props }),
        updated_at: clock.now(),
        updated_by: actor.userName,
      };
      await tx.updateTable('integrations').set(changes).where('id', '=', id).execute();
      await checkQuota(tx, 'integrations', { ...row, ...changes }, row);
      const members = Object.keys(props).map((name) => `props.${name}`);
      act.describe(`${set.family} ${row.type} '${row.name}' (${id}): ${members.join(', ')}`);
      return this.#show({ ...row, ...changes }, set);
    });
  }

  /** Adds the decrypted server token and shown secrets to a record from the store. */
  #jsonOf(
    stored: string,
    sealed: Pick<IntegrationRow, 'secrets' | 'server_token'>,
    set: IntegrationSet,
  ): string {
    const { catalogue, keyring } = this.#deps;
    const { secrets, server_token } = sealed;
    if (secrets === null && server_token === null) return stored;
    const show = () => {
      const record = JSON.parse(stored) as IntegrationRecord;
      const type = catalogue.find(set.family, record.type, record.data);
      return JSON.stringify(withSealed(record, { id: record.intgGuid, ...sealed }, type, keyring, set.url));
    };
    return secrets === null || server_token !== null ? show() : this.#cache.of(secrets, stored, show);
  }

  #show(row: IntegrationRow, set: IntegrationSet): IntegrationRecord {
    const { catalogue, keyring } = this.#deps;
    const type = catalogue.get(set.family, row.type, row.subtype);
    const record = integrationRecord(row, type, keyring, set.url);
    return set.scope.isReadOnly ? this.#masked(record, set) : record;
  }

  #masked(record: IntegrationRecord, { family }: IntegrationSet): IntegrationRecord {
    const { data } = this.#deps.catalogue.find(family, record.type, record.data);
    return withMaskedSecrets(IntegrationRecord, { ...record, data: withMaskedSecrets(data, record.data) });
  }

  /** The columns derived from `data`. The state is reset when the settings change. */
  #stored(id: string, type: IntegrationType, data: IntegrationData, present?: IntegrationRow) {
    const { clock, keyring } = this.#deps;
    const { open, secrets } = takeSecrets(type.data, data);
    const before = present && (JSON.parse(present.state ?? '{}') as Partial<IntegrationState>);
    const isSame = present && isDeepStrictEqual(dataOf(present, keyring), fillSecrets(open, secrets));
    const untried = untriedState(clock.now(), {
      lacksSecret: lacksSecret(type.data, open, secrets),
      lacksCollector: type.lacksCollector ?? false,
      ...(before?.lastSuccessfulTime && { lastSuccessfulTime: before.lastSuccessfulTime }),
    });
    return {
      data: JSON.stringify(open),
      secrets: sealed(
        keyring,
        'secrets',
        id,
        Object.keys(secrets).length > 0 ? JSON.stringify(secrets) : undefined,
      ),
      state: type.isStateless ? null : isSame ? present.state : JSON.stringify(untried),
      identity: type.unique?.identify(data) ?? null,
    };
  }

  async #refuseDuplicate(tx: ControlTransaction, type: IntegrationType, row: IntegrationRow): Promise<void> {
    if (row.identity === null) return;
    const other = await tx
      .selectFrom('integrations')
      .select('name')
      .where('owner_id', '=', row.owner_id)
      .where('type', '=', row.type)
      .where('identity', '=', row.identity)
      .where('id', '!=', row.id)
      .executeTakeFirst();
    if (!other) return;
    const noun = type.unique?.noun ?? 'It';
    throw new Refusal(
      'CONFLICT',
      `${noun} is already used: '${other.name}' integrates ${row.identity}; change or delete that one.`,
    );
  }
}

function keyOf({ scope, family }: IntegrationSet, id: string) {
  return { id, owner_id: scope.ownerId, family };
}

/** Selects the sealed secrets only for types that show one, because reading them costs as much as the record. */
function secretsOfTypes(types: readonly IntegrationType[]) {
  if (types.length === 0) return sql<string | null>`null`;
  const names = sql.join([...new Set(types.map(({ type }) => type))]);
  return sql<string | null>`case when type in (${names}) then secrets end`;
}

function sealed(keyring: Keyring, column: string, id: string, value: string | undefined): string | null {
  return value === undefined ? null : keyring.seal(value, sealingContext('integrations', column, id));
}

function newServerToken(): string {
  return `_${randomBytes(24).toString('hex')}`;
}

/** The members compared to find which of them changed; the values are never output. */
function comparable(row: IntegrationRow, secrets: Secrets): object {
  const { name, enabled, props } = row;
  return { name, enabled, data: { ...JSON.parse(row.data), ...secrets }, props: JSON.parse(props ?? '{}') };
}

/** Given members replace the present ones; omitted members are kept. */
function propsOf(
  type: IntegrationType,
  given: IntegrationData | null | undefined,
  present: string | null = null,
): string | null {
  const own = given && type.props ? checkProps(type, given) : undefined;
  const all = { ...(type.subtype && { tags: type.subtype }), ...JSON.parse(present ?? '{}'), ...own };
  checkLength('props', all);
  return Object.keys(all).length > 0 ? JSON.stringify(all) : null;
}

/** The registry type cannot change, so updates may omit it. */
function withSubtype({ subtype }: IntegrationType, data: IntegrationData): IntegrationData {
  return subtype ? { ...data, registryType: subtype } : data;
}
