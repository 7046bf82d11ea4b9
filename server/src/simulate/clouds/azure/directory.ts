import type { Company } from '../../company/company.ts';
import { type CloudObject, cloudObject, uuidOf } from '../cloud-object.ts';
import { azureTenant, created } from './tenant.ts';

/** Everything that Microsoft Graph returns has this as its API. */
export const directory = 'Microsoft.Graph';
const policies = 'identity/conditionalAccess/policies';
const globalAdministrator = '62e90394-69f5-4237-9190-012177145e10';

export const directoryUser = (company: Company, login: string) => uuidOf(company, 'user', login);

/** The directory of the tenant: its users, roles and policies. */
export function* directoryObjects(company: Company): Generator<CloudObject> {
  const tenant = azureTenant(company);
  const listed = (path: string, id: string, value: object) =>
    cloudObject(directory, id, { id, ...value }, { of: path });
  const single = (path: string, value: object) => cloudObject(directory, path, value);
  yield listed('organization', tenant, {
    ...{ displayName: company.name, tenantType: 'AAD', createdDateTime: created },
    verifiedDomains: [{ name: company.domain, isDefault: true, type: 'Managed' }],
  });
  const methods = 'reports/authenticationMethods/userRegistrationDetails';
  for (const { login, email } of company.people) {
    const id = directoryUser(company, login);
    const name = { userPrincipalName: email, displayName: login };
    yield listed('users', id, {
      ...{ ...name, mail: email, accountEnabled: true, userType: 'Member', createdDateTime: created },
    });
    yield cloudObject(
      directory,
      `${methods}/${id}`,
      {
        ...{ id, userPrincipalName: email, userType: 'member', isMfaRegistered: true, isMfaCapable: true },
        methodsRegistered: ['microsoftAuthenticatorPush'],
      },
      { of: methods },
    );
  }
  const role = uuidOf(company, 'role', 'administrator');
  yield listed('directoryRoles', role, {
    ...{ displayName: 'Global Administrator', roleTemplateId: globalAdministrator },
  });
  for (const { login, email } of company.people.slice(0, 2)) {
    const id = directoryUser(company, login);
    const member = { id, userPrincipalName: email, displayName: login };
    const path = `directoryRoles/${role}/members`;
    yield cloudObject(directory, `${path}/${id}`, member, { of: path });
  }
  yield* conditionalAccess(company);
  const setting = (name: string, values: Readonly<Record<string, string>>) =>
    listed('groupSettings', uuidOf(company, 'setting', name), {
      displayName: name,
      values: Object.entries(values).map(([member, value]) => ({ name: member, value })),
    });
  yield setting('Group.Unified', { EnableGroupCreation: 'false', AllowGuestsToBeGroupOwner: 'false' });
  yield setting('Password Rule Settings', {
    ...{ EnableBannedPasswordCheck: 'True', BannedPasswordList: company.name },
  });
  yield listed('identityGovernance/accessReviews/definitions', uuidOf(company, 'review'), {
    ...{ displayName: 'Guests', status: 'InProgress', createdDateTime: created },
    scope: { query: "./members/microsoft.graph.user/?$filter=(userType eq 'Guest')" },
  });
  yield single('policies/authorizationPolicy', {
    ...{ id: 'authorizationPolicy', allowInvitesFrom: 'adminsAndGuestInviters' },
    guestUserRoleId: '2af84b1e-32c8-42b7-82bc-daa82404023b',
    defaultUserRolePermissions: {
      ...{ allowedToCreateApps: false, allowedToCreateSecurityGroups: false, allowedToCreateTenants: false },
      permissionGrantPoliciesAssigned: [],
    },
  });
  yield single('policies/authenticationMethodsPolicy', { id: 'authenticationMethodsPolicy' });
  yield single('policies/deviceRegistrationPolicy', {
    ...{ id: 'deviceRegistrationPolicy', multiFactorAuthConfiguration: 'required', userDeviceQuota: 20 },
  });
  yield single('policies/identitySecurityDefaultsEnforcementPolicy', {
    // A tenant has either these or policies for conditional access.
    ...{ id: '00000000-0000-0000-0000-000000000005', isEnabled: false },
  });
  yield cloudObject('microsoft.subscription/policies', '/providers/Microsoft.Subscription/policies/default', {
    ...{ id: '/providers/Microsoft.Subscription/policies/default', name: 'default' },
    type: 'microsoft.subscription/policies',
    properties: { blockSubscriptionsLeavingTenant: true, blockSubscriptionsIntoTenant: true },
  });
}

/** Policies for conditional access, and the location that they except. */
function* conditionalAccess(company: Company): Generator<CloudObject> {
  const location = uuidOf(company, 'location', 'office');
  const everyone = { includeUsers: ['All'], excludeUsers: [] };
  const everything = { includeApplications: ['All'] };
  const policy = (name: string, conditions: object, control: string) => {
    const id = uuidOf(company, 'conditional-access', name);
    const value = {
      ...{ id, displayName: name, state: 'enabled', createdDateTime: created },
      conditions: { clientAppTypes: ['all'], applications: everything, users: everyone, ...conditions },
      grantControls: { operator: 'OR', builtInControls: [control] },
    };
    return cloudObject(directory, name, value, { of: policies });
  };
  yield policy('mfa-for-everyone', {}, 'mfa');
  yield policy('mfa-for-risky-sign-ins', { signInRiskLevels: ['high', 'medium'] }, 'mfa');
  yield policy(
    'block-other-locations',
    { locations: { includeLocations: ['All'], excludeLocations: [location] } },
    'block',
  );
  const path = 'identity/conditionalAccess/namedLocations';
  yield cloudObject(
    directory,
    location,
    {
      ...{ id: location, displayName: 'Office', isTrusted: true, createdDateTime: created },
      ipRanges: [{ cidrAddress: '203.0.113.0/24' }],
    },
    { of: path },
  );
}
