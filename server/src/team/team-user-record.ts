import { type Static, Type } from 'typebox';
import { type UserType, userTypes } from '../identity/user-row.ts';
import { coded, disabledOrEnabled } from '../platform/coded.ts';
import { formatInstant } from '../platform/instant.ts';
import type { Member } from './member.ts';
import { nameOf } from './profile.ts';

const text = (description: string, maxLength = 200) => Type.String({ maxLength, description });

export const TeamUserRecord = Type.Object(
  {
    userGuid: text('Identifier of the user, as paths use it.'),
    userName: text('What API keys and the audit log know the user by.', 320),
    type: Type.Enum([...userTypes], { description: 'A person, or a program.' }),
    name: text('Name.', 801),
    email: Type.Optional(text('E-mail address; a service user has none.', 320)),
    company: text('Company.'),
    description: text('What a service user is for.', 4_000),
    userEnabled: coded(disabledOrEnabled, 'Whether they have access:'),
    createdTime: text('When they were added.', 30),
    updatedTime: text('When they were last changed.', 30),
    updatedBy: text('Who changed them last.', 320),
  },
  { description: 'A team user.' },
);
export type TeamUserRecord = Static<typeof TeamUserRecord>;

export function teamUserRecord({ user }: Member): TeamUserRecord {
  const type = user.type as UserType;
  return {
    userGuid: user.id,
    userName: user.email,
    type,
    name: nameOf(user),
    ...(type === 'StandardUser' && { email: user.email }),
    company: user.company,
    description: user.description,
    userEnabled: user.enabled,
    createdTime: formatInstant(user.created_at),
    updatedTime: formatInstant(user.updated_at),
    updatedBy: user.updated_by,
  };
}

/** A service user has no address: what keys and the audit log call it is made of its name, outside of all mail. */
export function serviceUserName(name: string, organizationName: string): string {
  const part = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 64);
  return `${part || 'service'}@service.${organizationName}`;
}
