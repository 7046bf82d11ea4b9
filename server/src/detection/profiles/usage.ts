import type { ExpressionBuilder } from 'kysely';
import type { ControlTransaction } from '../../control/store.ts';
import type { Tables } from '../../control/tables.ts';
import { Refusal } from '../../platform/errors.ts';
import { type Profile, templateOf } from './profile.ts';

/** The ids of policies that refer to a profile, or to one of its templates by name. */
async function policiesUsing(
  tx: ControlTransaction,
  ownerId: string,
  profileId: string,
  template?: string,
): Promise<string[]> {
  const rows = await tx
    .selectFrom('policies')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where(({ and, or, eb }) =>
      template === undefined
        ? or([eb('alert_profile', '=', profileId), and(anyTemplateOf(eb, profileId))])
        : eb('alert_profile', '=', `${profileId}.${template}`),
    )
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** `/` follows `.` in ASCII, so this range covers every string that begins with the profile and a dot. */
function anyTemplateOf(eb: ExpressionBuilder<Tables, 'policies'>, profileId: string) {
  return [eb('alert_profile', '>=', `${profileId}.`), eb('alert_profile', '<', `${profileId}/`)];
}

/** Rejects a change that would leave a dangling reference. The caller holds the lock of the profile. */
export async function rejectIfUsed(
  tx: ControlTransaction,
  ownerId: string,
  before: Profile,
  after: Profile | undefined,
): Promise<void> {
  const { id } = before;
  if (!after || !templateOf(after)) {
    const users = await policiesUsing(tx, ownerId, id);
    if (users.length > 0) throw inUse(`The profile '${id}'`, users);
    return;
  }
  const kept = new Set(after.alerts.map(({ name }) => name));
  for (const { name } of before.alerts.filter((template) => !kept.has(template.name))) {
    const users = await policiesUsing(tx, ownerId, id, name);
    if (users.length > 0) throw inUse(`The template '${name}' of the profile '${id}'`, users);
  }
}

const maxNamed = 10;

function inUse(noun: string, users: string[]): Refusal {
  const more = users.length > maxNamed ? ` and ${users.length - maxNamed} more` : '';
  const named = users.slice(0, maxNamed).join(', ') + more;
  return new Refusal('CONFLICT', `${noun} is used by ${named}: change alertProfile of these policies first.`);
}
