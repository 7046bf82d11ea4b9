import { type Static, Type } from 'typebox';
import type { SessionCaller } from '../../identity/caller.ts';
import { roles } from '../../identity/roles.ts';
import type { SessionSummary } from '../../identity/sessions.ts';
import type { UserDetails } from '../../identity/user-details.ts';
import { formatInstant } from '../../platform/instant.ts';

const string = (description: string, maxLength: number) => Type.String({ maxLength, description });
const time = (description: string) => string(description, 30);

const account = Type.Object({
  name: string('Value of the header Account-Name.', 40),
  role: Type.Enum([...roles], { description: 'Role that determines the permissions in the account.' }),
  readOnly: Type.Boolean({ description: 'Whether changes are refused.' }),
});

export const SessionRecord = Type.Object(
  {
    user: Type.Object(
      {
        email: string('E-mail address.', 320),
        firstName: string('First name; may be empty.', 400),
        lastName: string('Last name; may be empty.', 400),
      },
      { description: 'The user.' },
    ),
    organization: string('Name of the organization.', 40),
    organizationRole: Type.Union([Type.Enum(['orgAdmin', 'orgUser']), Type.Null()], {
      description: 'Role in the organization; null if the user has none.',
    }),
    accounts: Type.Array(account, { description: 'Accounts that the user may read, by name.' }),
    defaultAccount: string('Account of requests without the header Account-Name.', 40),
    endTime: time('When the session ends without further requests.'),
    passwordSet: Type.Boolean({ description: 'Whether the user has a password.' }),
    lastSignInTime: Type.Union([time('Time in UTC.'), Type.Null()], {
      description: 'When the user signed in the last time before this session; null at the first time.',
    }),
  },
  { description: 'The user of the session.' },
);
export type SessionRecord = Static<typeof SessionRecord>;

export function sessionRecord(caller: SessionCaller, details: UserDetails): SessionRecord {
  const { email, organization, organizationRole, accounts, home, expiresAt, session } = caller;
  const { firstName, lastName, isPasswordSet } = details;
  return {
    user: { email, firstName, lastName },
    organization: organization.name,
    organizationRole: organizationRole ?? null,
    accounts: accounts.map(({ name, admin }) => ({ name, role: roleIn(caller, admin), readOnly: !admin })),
    defaultAccount: home.name,
    endTime: formatInstant(expiresAt),
    passwordSet: isPasswordSet,
    lastSignInTime: session.lastSignInAt === undefined ? null : formatInstant(session.lastSignInAt),
  };
}

/** The role with the most permissions in an account. */
function roleIn({ organizationRole }: SessionCaller, admin: boolean) {
  if (organizationRole === 'orgAdmin') return 'orgAdmin';
  return admin ? 'accountAdmin' : (organizationRole ?? 'accountUser');
}

export const ListedSession = Type.Object({
  id: string('Identifier in paths.', 60),
  createdTime: time('When the user signed in.'),
  lastUsedTime: time('Last request, to the minute.'),
  address: string('Address from which the user signed in.', 60),
  userAgent: string('Browser, shortened.', 200),
  current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
});

export function listedSession(summary: SessionSummary, currentId: string): Static<typeof ListedSession> {
  const { id, createdAt, lastUsedAt, address, userAgent } = summary;
  return {
    id,
    createdTime: formatInstant(createdAt),
    lastUsedTime: formatInstant(lastUsedAt),
    address,
    userAgent,
    current: id === currentId,
  };
}
