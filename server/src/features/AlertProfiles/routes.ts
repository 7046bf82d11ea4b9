import type { Scanner } from '../../control/scan/scanner.ts';
import type { AlertProfiles } from '../../detection/profiles/alert-profiles.ts';
import { ProfileChange, ProfileCreation } from '../../detection/profiles/body.ts';
import { ProfileRecord } from '../../detection/profiles/record.ts';
import { recordRoutes } from '../../families/record-routes.ts';

const alertProfiles = {
  family: {
    name: 'AlertProfiles',
    description: 'What the alerts of policies say: predefined profiles, and those that extend them.',
    record: ProfileRecord,
  },
  singular: 'an alert profile',
  plural: 'alert profiles',
  title: 'Alert Profile',
  id: 'alertProfileId',
  creation: ProfileCreation,
  change: ProfileChange,
  descriptions: {
    list: 'The predefined ones come first.',
    change:
      '`alerts` replaces the list of templates. One that has the name of a present template keeps the members that are left out.',
    remove: 'Not while a policy uses it.',
  },
  mayRefuseRemoval: true,
} as const;

export const alertProfileRoutes = ({ profiles, scanner }: { profiles: AlertProfiles; scanner: Scanner }) =>
  recordRoutes(alertProfiles, {
    create: ({ actor }, body) => profiles.create(actor, body),
    list: ({ scope }) => profiles.list(scope.ownerId),
    searched: { scanner, records: ({ scope }) => profiles.list(scope.ownerId) },
    get: ({ scope }, id) => profiles.get(scope.ownerId, id),
    change: ({ actor }, id, body) => profiles.change(actor, id, body),
    remove: ({ actor }, id) => profiles.delete(actor, id),
  });
