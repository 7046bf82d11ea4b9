import { type Static, Type } from 'typebox';
import { type UserType, userTypes } from '../identity/user-row.ts';
import { coded, disabledOrEnabled } from '../platform/coded.ts';
import { formatInstant } from '../platform/instant.ts';
import type { Member } from './member.ts';
import { nameOf } from './profile.ts';

const string = (description: string, maxLength = 200) => Type.String({ maxLength, description });

export const TeamUserRecord = Type.Object(
  {
    userGuid: string('Identifier used in paths.'),
    userName: string('User name in API keys and the audit log.', 320),
    type: Type.Enum([...userTypes], { description: 'A person or a program.' }),
    name: string('Name.', 801),
    email: Type.Optional(string('E-mail address; a service user has none.', 320)),
    company: string('Company.'),
    description: string('Purpose of a service user.', 4_000),
    userEnabled: coded(disabledOrEnabled, 'Whether they have access:'),
    createdTime: string('When they were added.', 30),
    updatedTime: string('When they were last changed.', 30),
    updatedBy: string('User who changed them last.', 320),
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

/** A service user has no e-mail address: its user name is derived from its name, in a domain that receives no mail. */
export function serviceUserName(name: string, organizationName: string): string {
  const localPart = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 64);
  return `${localPart || 'service'}@service.${organizationName}`;
}
