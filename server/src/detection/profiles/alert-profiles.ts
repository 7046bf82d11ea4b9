import type { Actor } from '../../control/actor.ts';
import { findOwned, lockOwned, seekOwned } from '../../control/owned-row.ts';
import { checkQuota } from '../../control/quota.ts';
import type { ControlStore, ControlTransaction } from '../../control/store.ts';
import { notFound, Refusal } from '../../platform/errors.ts';
import { suggestion } from '../../platform/nearest.ts';
import { quoted } from '../../platform/quoted.ts';
import { AlertTypes } from './alert-types.ts';
import { type ProfileChange, type ProfileCreation, wholeTemplate } from './body.ts';
import type { ProfileCatalogue } from './catalogue.ts';
import { changesOf } from './changes.ts';
import { checkPlaceholders } from './placeholders.ts';
import { checkTemplates, type Profile } from './profile.ts';
import { customProfile, type ProfileRecord, type ProfileRow, profileRecord } from './record.ts';
import { type AlertTemplate, maxTemplates, mergedTemplate, type TemplateChange } from './template.ts';
import { rejectIfUsed } from './usage.ts';

/** The predefined profiles and the custom profiles of an account. */
export class AlertProfiles {
  readonly types: AlertTypes;
  readonly #store: ControlStore;
  readonly #catalogue: ProfileCatalogue;

  constructor(store: ControlStore, catalogue: ProfileCatalogue) {
    this.#store = store;
    this.#catalogue = catalogue;
    this.types = new AlertTypes(store, catalogue);
  }

  async list(ownerId: string): Promise<ProfileRecord[]> {
    const rows = await this.#store.read
      .selectFrom('alert_profiles')
      .selectAll()
      .where('owner_id', '=', ownerId)
      .orderBy('id')
      .execute();
    const custom = rows.map((row) => customProfile(row, this.#catalogue));
    return [...this.#catalogue.all(), ...custom].map(profileRecord);
  }

  async get(ownerId: string, id: string): Promise<ProfileRecord> {
    const predefined = this.#catalogue.find(id);
    if (predefined) return profileRecord(predefined);
    const row = await findOwned(this.#store.read, 'alert_profiles', { owner_id: ownerId, id });
    return profileRecord(customProfile(row, this.#catalogue));
  }

  create(actor: Actor, body: ProfileCreation): Promise<ProfileRecord> {
    const { alertProfileId: id } = body;
    if (/^lw_/i.test(id)) {
      throw new Refusal(
        'INVALID_INPUT',
        'alertProfileId must not begin with LW_, which is reserved for predefined profiles: choose another one.',
      );
    }
    const base = this.#catalogue.find(body.extends);
    if (!base) {
      const known = this.#catalogue.all().map((profile) => profile.id);
      const hint = suggestion(body.extends, known, `Use one of ${known.join(', ')}.`);
      throw new Refusal(
        'INVALID_INPUT',
        `extends must be a predefined profile, not ${quoted(body.extends)}. ${hint}`,
      );
    }
    checkTemplates(body.alerts, base.fields);
    const row: ProfileRow = {
      id,
      owner_id: actor.ownerId,
      base: base.id,
      alerts: JSON.stringify(body.alerts.map((template) => mergedTemplate(template, {}))),
    };
    return this.#store.transaction(actor, async (tx, act) => {
      if (await seekOwned(tx, 'alert_profiles', { owner_id: actor.ownerId, id })) {
        throw new Refusal('CONFLICT', `alertProfileId '${id}' already exists: choose another one.`);
      }
      await tx.insertInto('alert_profiles').values(row).execute();
      await checkQuota(tx, 'alert_profiles', row);
      act.describe(`'${id}', which extends ${base.id}`);
      return profileRecord(customProfile(row, this.#catalogue));
    });
  }

  /** Replaces the templates; omitted members of an existing template keep their values. */
  change(actor: Actor, id: string, { alerts }: ProfileChange): Promise<ProfileRecord> {
    return this.#write(actor, id, (present) => {
      const next = alerts?.map((given, index) => {
        const old = present.alerts.find(({ name }) => name === given.name);
        return old ? mergedTemplate(old, given) : wholeTemplate(given, `alerts[${index}]`);
      });
      if (next) checkTemplates(next, present.fields);
      return next ?? present.alerts;
    });
  }

  async delete(actor: Actor, id: string): Promise<void> {
    await this.#store.transaction(actor, async (tx, act) => {
      const row = await this.#lock(tx, actor.ownerId, id);
      await rejectIfUsed(tx, actor.ownerId, customProfile(row, this.#catalogue), undefined);
      await tx
        .deleteFrom('alert_profiles')
        .where('owner_id', '=', actor.ownerId)
        .where('id', '=', id)
        .execute();
      act.describe(`'${id}'`);
    });
  }

  addTemplate(actor: Actor, id: string, template: AlertTemplate): Promise<ProfileRecord> {
    return this.#write(actor, id, ({ alerts, fields }) => {
      if (alerts.some(({ name }) => name === template.name)) {
        throw new Refusal(
          'CONFLICT',
          `The template '${template.name}' already exists in the profile '${id}': choose another name.`,
        );
      }
      if (alerts.length >= maxTemplates) {
        throw new Refusal(
          'CONFLICT',
          `The profile '${id}' already has ${maxTemplates} templates, the maximum: delete one first.`,
        );
      }
      checkPlaceholders(template, new Set(fields), '');
      return [...alerts, mergedTemplate(template, {})];
    });
  }

  changeTemplate(actor: Actor, id: string, name: string, change: TemplateChange): Promise<ProfileRecord> {
    return this.#write(actor, id, ({ alerts, fields }) => {
      const old = templateNamed(alerts, name);
      const next = mergedTemplate(old, change);
      checkPlaceholders(next, new Set(fields), '');
      return alerts.map((template) => (template === old ? next : template));
    });
  }

  deleteTemplate(actor: Actor, id: string, name: string): Promise<ProfileRecord> {
    return this.#write(actor, id, ({ alerts }) => {
      const old = templateNamed(alerts, name);
      return alerts.filter((template) => template !== old);
    });
  }

  #write(
    actor: Actor,
    id: string,
    nextOf: (present: Profile) => readonly AlertTemplate[],
  ): Promise<ProfileRecord> {
    return this.#store.transaction(actor, async (tx, act) => {
      const row = await this.#lock(tx, actor.ownerId, id);
      const present = customProfile(row, this.#catalogue);
      const next = { ...present, alerts: nextOf(present) };
      await rejectIfUsed(tx, actor.ownerId, present, next);
      const alerts = JSON.stringify(next.alerts);
      await tx
        .updateTable('alert_profiles')
        .set({ alerts })
        .where('owner_id', '=', actor.ownerId)
        .where('id', '=', id)
        .execute();
      await checkQuota(tx, 'alert_profiles', { ...row, alerts }, row);
      act.describe(`'${id}': ${changesOf(present.alerts, next.alerts)}`);
      return profileRecord(next);
    });
  }

  #lock(tx: ControlTransaction, ownerId: string, id: string): Promise<ProfileRow> {
    if (this.#catalogue.find(id)) {
      throw new Refusal(
        'CONFLICT',
        `'${id}' is predefined and can not be changed or deleted: create a profile that extends it.`,
      );
    }
    return lockOwned(tx, 'alert_profiles', { owner_id: ownerId, id });
  }
}

function templateNamed(alerts: readonly AlertTemplate[], name: string): AlertTemplate {
  const template = alerts.find((candidate) => candidate.name === name);
  if (!template) throw notFound('alert template', name);
  return template;
}
