import { type Static, Type } from 'typebox';
import { type UserRow, userTypes } from '../../identity/user-row.ts';
import { Refusal } from '../../platform/errors.ts';
import { email, flagOf, orNull, userEnabled } from '../../team/form.ts';
import { type Profile, splitName } from '../../team/profile.ts';

const name = Type.String({
  pattern: '\\S',
  minLength: 1,
  maxLength: 400,
  description: 'Name; must not be empty or consist of spaces only.',
});

const shared = {
  email: orNull(email, 'E-mail address of a StandardUser.'),
  company: orNull(Type.String({ maxLength: 200 }), 'Company.'),
  description: orNull(Type.String({ maxLength: 4_000 }), 'Purpose of a ServiceUser.'),
  userEnabled,
  type: orNull(
    Type.Enum([...userTypes]),
    'StandardUser (the default) for a person, ServiceUser for a program.',
  ),
};

export const UserCreation = Type.Object({ name, ...shared });
export const UserChange = Type.Object({ name: orNull(name, 'Name.'), ...shared });
type Body = Static<typeof UserChange>;

export function readProfile(body: Body, present?: UserRow): Profile {
  const { name, company, description, userEnabled } = body;
  return {
    ...(typeof name === 'string' && splitName(name, present)),
    company: company ?? undefined,
    description: description ?? undefined,
    enabled: flagOf(userEnabled),
  };
}

/** Type and e-mail address are immutable: keys, tokens and the audit log refer to the user. */
export function refuseIdentityChange(user: UserRow, body: Body): void {
  if (body.type && body.type !== user.type) {
    throw new Refusal(
      'INVALID_INPUT',
      `type can not change from ${user.type}: create another team user instead.`,
    );
  }
  if (body.email && body.email.toLowerCase() !== user.email) {
    throw new Refusal('INVALID_INPUT', 'email can not change: create another team user instead.');
  }
}
