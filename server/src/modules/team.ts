import { teamMemberRoutes } from '../features/TeamMembers/routes.ts';
import { teamUserRoutes } from '../features/TeamUsers/routes.ts';
import { userGroupRoutes } from '../features/UserGroups/routes.ts';
import { Team } from '../team/team.ts';
import { UserGroups } from '../team/user-groups.ts';
import type { ControlStoreModule } from './control-store.ts';
import type { IdentityModule } from './identity.ts';
import type { Module, ModuleContext } from './module.ts';
import type { RecordSearchModule } from './record-search.ts';

export interface TeamDeps {
  readonly control: ControlStoreModule;
  readonly identity: IdentityModule;
  readonly search: RecordSearchModule;
}

export function teamModule({ clock }: ModuleContext, { control, identity, search }: TeamDeps): Module {
  const { store } = control;
  const { hostOf } = identity;
  const { scanner } = search;
  return {
    routes: [
      ...teamMemberRoutes({ team: new Team(store, clock, 'organization'), scanner, hostOf }),
      ...teamUserRoutes({ team: new Team(store, clock, 'account'), scanner }),
      ...userGroupRoutes({ groups: new UserGroups(store) }),
    ],
  };
}
