import type { Scanner } from '../../control/scan/scanner.ts';
import type { AlertProfiles } from '../../detection/profiles/alert-profiles.ts';
import { ProfileChange, ProfileCreation } from '../../detection/profiles/body.ts';
import { ProfileRecord } from '../../detection/profiles/record.ts';
import { recordRoutes } from '../../families/record-routes.ts';

const alertProfiles = {
  family: {
    name: 'AlertProfiles',
    description: 'Templates for the alerts of policies: predefined profiles, and profiles that extend them.',
    record: ProfileRecord,
  },
  singular: 'an alert profile',
  plural: 'alert profiles',
  title: 'Alert Profile',
  id: 'alertProfileId',
  creation: ProfileCreation,
  change: ProfileChange,
  descriptions: {
    list: 'Predefined profiles come first.',
    change:
      '`alerts` replaces the array of templates. A template with the name of an existing one keeps the values of omitted members.',
    remove: 'A profile that a policy uses cannot be deleted.',
  },
  mayRefuseRemoval: true,
} as const;

export const alertProfileRoutes = ({ profiles, scanner }: { profiles: AlertProfiles; scanner: Scanner }) =>
  recordRoutes(alertProfiles, {
    create: ({ actor }, body) => profiles.create(actor, body),
    list: ({ scope }) => profiles.list(scope.ownerId),
    searchable: { scanner, records: ({ scope }) => profiles.list(scope.ownerId) },
    get: ({ scope }, id) => profiles.get(scope.ownerId, id),
    change: ({ actor }, id, body) => profiles.change(actor, id, body),
    remove: ({ actor }, id) => profiles.delete(actor, id),
  });
