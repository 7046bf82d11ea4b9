import { type DirectoryRead, defineAzureService } from '../service.ts';

const kinds = (name: string) => [`LW_CFG_AZURE_GRAPH_${name}`];
/** Also under the name that the datasource had before. */
const bothKinds = (name: string) => [`LW_CFG_AZURE_${name}`, `LW_CFG_AZURE_GRAPH_${name}`];

const userMembers = [
  ...['id', 'userPrincipalName', 'displayName', 'mail', 'accountEnabled', 'userType', 'createdDateTime'],
  ...['creationType', 'externalUserState', 'externalUserStateChangeDateTime', 'onPremisesSyncEnabled'],
  ...['lastPasswordChangeDateTime', 'passwordPolicies', 'department', 'jobTitle', 'assignedLicenses'],
];

const credentials = [
  'passwordCredentials.*.secretText',
  'passwordCredentials.*.hint',
  'keyCredentials.*.key',
  'keyCredentials.*.customKeyIdentifier',
];

const policy = (type: string, path = `policies/${type}`): DirectoryRead => ({
  ...{ type, path, kinds: kinds(type.toUpperCase()), permissions: ['Policy.Read.All'] },
});

export default defineAzureService({
  name: 'Entra ID',
  namespace: 'Microsoft.Graph',
  directory: [
    {
      type: 'user',
      kinds: bothKinds('USER'),
      // Pages with sign-ins may have at most 500.
      path: `users?$top=500&$select=${userMembers.join(',')}`,
      isList: true,
      licensed: ['signInActivity'],
      permissions: ['User.Read.All', 'AuditLog.Read.All'],
    },
    {
      type: 'userRegistrationDetails',
      kinds: kinds('USERREGISTRATIONDETAILS'),
      path: 'reports/authenticationMethods/userRegistrationDetails?$top=999',
      isList: true,
      permissions: ['AuditLog.Read.All'],
      // Documented for reports: 5 requests in 10 seconds.
      rate: { perSecond: 0.5 },
    },
    {
      type: 'directoryRole',
      kinds: bothKinds('DIRECTORYROLE'),
      path: 'directoryRoles',
      isList: true,
      // Expanding the members of a role returns at most 20.
      related: {
        member: 'members',
        path: 'directoryRoles/{id}/members?$top=999&$select=id,displayName,userPrincipalName',
      },
      permissions: ['RoleManagement.Read.Directory', 'Directory.Read.All'],
    },
    {
      type: 'application',
      kinds: bothKinds('APPLICATION'),
      path: 'applications?$top=999',
      isList: true,
      permissions: ['Application.Read.All'],
      redact: credentials,
    },
    {
      type: 'servicePrincipal',
      kinds: ['LW_CFG_AZURE_SERVICEPRINCIPAL'],
      path: 'servicePrincipals?$top=999',
      isList: true,
      permissions: ['Application.Read.All'],
      redact: [...credentials, 'passwordSingleSignOnSettings'],
    },
    {
      type: 'group',
      kinds: ['LW_CFG_AZURE_GROUP'],
      path: 'groups?$top=999',
      isList: true,
      permissions: ['Group.Read.All'],
    },
    {
      type: 'domain',
      kinds: ['LW_CFG_AZURE_DOMAIN'],
      path: 'domains',
      isList: true,
      permissions: ['Domain.Read.All'],
    },
    {
      type: 'organization',
      kinds: ['LW_CFG_AZURE_ORGANIZATION'],
      path: 'organization',
      isList: true,
      permissions: ['Organization.Read.All'],
    },
    {
      type: 'administrativeUnit',
      kinds: ['LW_CFG_AZURE_ADMINISTRATIVEUNIT'],
      path: 'directory/administrativeUnits?$top=999',
      isList: true,
      permissions: ['AdministrativeUnit.Read.All'],
    },
    {
      type: 'groupSetting',
      kinds: kinds('GROUPSETTING'),
      path: 'groupSettings',
      isList: true,
      permissions: ['Directory.Read.All'],
    },
    {
      type: 'conditionalAccessPolicy',
      kinds: kinds('CONDITIONALACCESSPOLICY'),
      path: 'identity/conditionalAccess/policies',
      isList: true,
      permissions: ['Policy.Read.All'],
    },
    {
      type: 'namedLocation',
      kinds: kinds('NAMEDLOCATION'),
      path: 'identity/conditionalAccess/namedLocations',
      isList: true,
      permissions: ['Policy.Read.All'],
    },
    {
      type: 'accessReviewScheduleDefinition',
      kinds: kinds('ACCESSREVIEWSCHEDULEDEFINITION'),
      path: 'identityGovernance/accessReviews/definitions',
      isList: true,
      permissions: ['AccessReview.Read.All'],
    },
    policy('authorizationPolicy'),
    policy('authenticationMethodsPolicy'),
    policy('deviceRegistrationPolicy'),
    policy('identitySecurityDefaultsEnforcementPolicy'),
  ],
});
