import { holdOwned, seekOwned } from '../../control/owned-row.ts';
import type { ControlStore, ControlTransaction } from '../../control/store.ts';
import { Refusal } from '../../platform/errors.ts';
import { suggestion } from '../../platform/nearest.ts';
import { quoted } from '../../platform/quoted.ts';
import type { ProfileCatalogue } from './catalogue.ts';
import { inheritedTemplates, type Profile, templateOf } from './profile.ts';
import { customProfile } from './record.ts';
import type { AlertTemplate } from './template.ts';

/** The template and the fields that a policy's `alertProfile` resolves to. */
export interface ResolvedTemplate {
  readonly profileId: string;
  readonly template: AlertTemplate;
  readonly fields: readonly string[];
}

/** Resolves references of policies: `<alertProfileId>` or `<alertProfileId>.<template name>`. */
export class ProfileReferences {
  readonly #catalogue: ProfileCatalogue;

  constructor(catalogue: ProfileCatalogue) {
    this.#catalogue = catalogue;
  }

  /** Undefined if the reference is dangling, for example after a release removed the profile. */
  async resolveTemplate(
    db: ControlStore['read'],
    ownerId: string,
    reference: string,
  ): Promise<ResolvedTemplate | undefined> {
    const { profileId, name } = partsOf(reference);
    const profile = await this.#profile(db, ownerId, profileId);
    const template = profile && templateOf(profile, name);
    return template && { profileId, template, fields: profile.fields };
  }

  /**
   * Rejects a dangling reference. A custom profile is locked until the policy is stored, so that it is not deleted in
   * between.
   */
  async requireProfile(tx: ControlTransaction, ownerId: string, reference: string): Promise<void> {
    const { profileId, name } = partsOf(reference);
    await holdOwned(tx, 'alert_profiles', { owner_id: ownerId, id: profileId });
    const profile = await this.#profile(tx, ownerId, profileId);
    if (!profile) {
      const known = [...this.#catalogue.all().map(({ id }) => id), ...(await idsOf(tx, ownerId))];
      const hint = suggestion(profileId, known, 'GET /api/v2/AlertProfiles lists the profiles.');
      throw invalid(reference, `does not exist. ${hint}`);
    }
    if (templateOf(profile, name)) return;
    if (name === undefined) throw invalid(reference, 'has no templates: add one to the profile.');
    const names = inheritedTemplates(profile).map((template) => template.name);
    const hint = suggestion(name, names, `The profile has ${names.slice(0, 10).join(', ') || 'none'}.`);
    throw invalid(reference, `is not a template of the profile. ${hint}`);
  }

  async #profile(db: ControlStore['read'], ownerId: string, id: string): Promise<Profile | undefined> {
    const predefined = this.#catalogue.find(id);
    if (predefined) return predefined;
    const row = await seekOwned(db, 'alert_profiles', { owner_id: ownerId, id });
    return row && customProfile(row, this.#catalogue);
  }
}

/** Ids have no dots; template names may. */
function partsOf(reference: string): { profileId: string; name: string | undefined } {
  const dot = reference.indexOf('.');
  if (dot < 0) return { profileId: reference, name: undefined };
  return { profileId: reference.slice(0, dot), name: reference.slice(dot + 1) };
}

async function idsOf(tx: ControlTransaction, ownerId: string): Promise<string[]> {
  const rows = await tx.selectFrom('alert_profiles').select('id').where('owner_id', '=', ownerId).execute();
  return rows.map(({ id }) => id);
}

function invalid(reference: string, message: string): Refusal {
  return new Refusal('INVALID_INPUT', `alertProfile ${quoted(reference)} ${message}`);
}
