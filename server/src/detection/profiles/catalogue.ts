import { readdirSync, readFileSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import { Validator } from '../../platform/validator.ts';
import { YamlFile } from '../../platform/yaml-file.ts';
import { checkTemplates, inheritedTemplates, type Profile } from './profile.ts';
import { AlertTemplate } from './template.ts';

const closed = { additionalProperties: false };
const PackedProfile = Type.Object(
  {
    alertProfileId: Type.String({ pattern: '^LW_[A-Za-z0-9_]+$', description: 'It begins with LW_.' }),
    extends: Type.Optional(Type.String()),
    fields: Type.Array(Type.String({ pattern: '^[A-Z0-9_]+$' }), { uniqueItems: true }),
    alerts: Type.Array(Type.Object(AlertTemplate.properties, closed)),
  },
  closed,
);
const form = new Validator(PackedProfile, 'file');

/** A profile file, without inherited members. */
interface ProfileFile {
  readonly own: Static<typeof PackedProfile>;
  readonly file: YamlFile;
}

/** The profiles that ship with the service; read-only and the same for every account. */
export class ProfileCatalogue {
  readonly #profiles: ReadonlyMap<string, Profile>;

  private constructor(profiles: ReadonlyMap<string, Profile>) {
    this.#profiles = profiles;
  }

  /** Reads the folder `profiles` of the packs, one file per profile. */
  static load(packs: URL): ProfileCatalogue {
    const folder = new URL('profiles/', packs);
    const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
    const packed = new Map(names.sort().map((name) => [name.replace('.yaml', ''), readPacked(folder, name)]));
    const profiles = [...packed].map(([id, profile]) => [id, effective(profile, packed, [id])] as const);
    return new ProfileCatalogue(new Map(profiles));
  }

  all(): Profile[] {
    return [...this.#profiles.values()];
  }

  find(id: string): Profile | undefined {
    return this.#profiles.get(id);
  }
}

function readPacked(folder: URL, name: string): ProfileFile {
  const file = new YamlFile(`packs/profiles/${name}`, readFileSync(new URL(name, folder), 'utf8'));
  file.check(form);
  const own = file.value as ProfileFile['own'];
  if (`${own.alertProfileId}.yaml` === name) return { own, file };
  throw file.problem(['alertProfileId'], 'alertProfileId must be the name of the file.');
}

/** The profile with inherited members; `line` is the inheritance chain up to this profile, to detect cycles. */
function effective(
  { own, file }: ProfileFile,
  packed: ReadonlyMap<string, ProfileFile>,
  chain: string[],
): Profile {
  const parent = own.extends === undefined ? undefined : packed.get(own.extends);
  if (own.extends !== undefined && (!parent || chain.includes(own.extends))) {
    throw file.problem(
      ['extends'],
      `extends can not be ${own.extends}: name another profile of this folder.`,
    );
  }
  const base = parent && effective(parent, packed, [...chain, parent.own.alertProfileId]);
  const fields = [...new Set([...(base?.fields ?? []), ...own.fields])];
  try {
    checkTemplates(own.alerts, fields);
  } catch (error) {
    throw file.problem(['alerts'], (error as Error).message);
  }
  const inherited = base ? inheritedTemplates(base) : [];
  return { id: own.alertProfileId, base: base?.id ?? '', fields, alerts: own.alerts, inherited };
}
