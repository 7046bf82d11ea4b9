import type { Company } from '../../company/company.ts';
import { isoSeconds, millisecondsPerHour } from '../../hour.ts';
import { type CloudObject, cloudObject, seeded } from '../cloud-object.ts';

const created = '2025-05-20T09:00:00Z';
const day = 24 * millisecondsPerHour;
const readOnly = { PolicyName: 'ReadOnlyAccess', PolicyArn: 'arn:aws:iam::aws:policy/ReadOnlyAccess' };
const supportAccess = {
  ...{ PolicyName: 'AWSSupportAccess', PolicyArn: 'arn:aws:iam::aws:policy/AWSSupportAccess' },
};

/** The instant as the credential report has it. */
const reported = (instant: number) => `${new Date(instant).toISOString().slice(0, 19)}+00:00`;

/** Users are the people that CloudTrail names. */
export function* iamObjects(company: Company, today: number): Generator<CloudObject> {
  const { cloud, people } = company;
  const { accountId, accountAlias } = cloud;
  const arn = (resource: string) => `arn:aws:iam::${accountId}:${resource}`;
  const teams = [...new Set(people.map(({ team }) => team))];
  for (const { login, team, principalId, accessKeyId } of people) {
    const user = {
      ...{ UserName: login, UserId: principalId, Arn: arn(`user/${login}`), Path: '/', CreateDate: created },
      ...{ GroupList: [team], UserPolicyList: [], AttachedManagedPolicies: [] },
      Tags: [{ Key: 'Team', Value: team }],
    };
    yield cloudObject('UserDetailList', login, user);
    const key = { UserName: login, AccessKeyId: accessKeyId, Status: 'Active', CreateDate: created };
    yield cloudObject('ListAccessKeys', accessKeyId, key, { of: login });
    const SerialNumber = arn(`mfa/${login}`);
    const device = { UserName: login, SerialNumber, EnableDate: created };
    yield cloudObject('ListMFADevices', SerialNumber, device, { of: login });
    const { Arn, UserName, Path } = user;
    yield cloudObject('ListVirtualMFADevices', SerialNumber, {
      ...{ SerialNumber, User: { Arn, UserName, Path }, EnableDate: created },
    });
    // Keys are rotated every 60 days, people sign in every few days.
    const phase = seeded(company, 'credentials', login).below(60);
    const rotated = reported(today - ((today / day + phase) % 60) * day);
    const used = reported(today - ((today / day + phase) % 3) * day);
    yield cloudObject('GetCredentialReport', login, credentials(login, user.Arn, rotated, used));
  }
  yield cloudObject('GetCredentialReport', '<root_account>', {
    ...credentials('<root_account>', arn('root'), 'N/A', 'no_information'),
    ...{ password_enabled: 'not_supported', access_key_1_active: 'false' },
  });
  for (const team of teams)
    yield cloudObject('GroupDetailList', team, {
      ...{ GroupName: team, GroupId: `AGPA${seeded(company, 'group', team).hex(16).toUpperCase()}` },
      ...{ Arn: arn(`group/${team}`), Path: '/', CreateDate: created },
      ...{ GroupPolicyList: [], AttachedManagedPolicies: [readOnly] },
    });
  yield* roles(company);
  const deploy = `${accountAlias}-deploy`;
  const Statement = [{ Effect: 'Allow', Action: ['eks:*', 'ecr:*'], Resource: arn('role/deployer') }];
  yield cloudObject('Policies', deploy, {
    ...{ PolicyName: deploy, Arn: arn(`policy/${deploy}`), Path: '/', DefaultVersionId: 'v1' },
    ...{ AttachmentCount: 1, IsAttachable: true, CreateDate: created, UpdateDate: created },
    PolicyVersionList: [
      {
        ...{ VersionId: 'v1', IsDefaultVersion: true, CreateDate: created },
        Document: { Version: '2012-10-17', Statement },
      },
    ],
  });
  yield* awsPolicies();
  yield* providers(company, today);
  yield cloudObject('GetAccountSummary', accountId, {
    SummaryMap: {
      ...{ Users: people.length, Groups: teams.length, Roles: 5, Policies: 1 },
      ...{ AccountMFAEnabled: 1, AccountAccessKeysPresent: 0, AccountSigningCertificatesPresent: 0 },
      MFADevices: people.length,
    },
  });
  yield cloudObject('GetContactInformation', accountId, {
    ContactInformation: {
      ...{ FullName: company.name, CompanyName: company.name, PhoneNumber: '+49 30 555 0100' },
      ...{ AddressLine1: 'Example Street 1', City: 'Berlin', PostalCode: '10115', CountryCode: 'DE' },
    },
  });
  for (const AlternateContactType of ['SECURITY', 'OPERATIONS', 'BILLING'])
    yield cloudObject('GetAlternateContact', AlternateContactType, {
      AlternateContact: {
        ...{ AlternateContactType, Name: `${AlternateContactType.toLowerCase()} team`, Title: 'Team' },
        ...{ EmailAddress: `${AlternateContactType.toLowerCase()}@${company.domain}` },
        PhoneNumber: '+49 30 555 0100',
      },
    });
  yield cloudObject('GetAccountPasswordPolicy', accountId, {
    PasswordPolicy: {
      ...{ MinimumPasswordLength: 14, RequireSymbols: true, RequireNumbers: true },
      ...{ RequireUppercaseCharacters: true, RequireLowercaseCharacters: true, ExpirePasswords: true },
      ...{ MaxPasswordAge: 90, PasswordReusePrevention: 24, AllowUsersToChangePassword: true },
    },
  });
}

function* roles(company: Company): Generator<CloudObject> {
  const { accountId, accountAlias } = company.cloud;
  const trusted = {
    ...{ hosts: 'ec2', 'cluster-node': 'ec2', deployer: 'codebuild', functions: 'lambda', support: 'ec2' },
  };
  for (const [RoleName, service] of Object.entries(trusted)) {
    const Principal = { Service: `${service}.amazonaws.com` };
    const Statement = [{ Effect: 'Allow', Principal, Action: 'sts:AssumeRole' }];
    const deploy = `${accountAlias}-deploy`;
    const own = { PolicyName: deploy, PolicyArn: `arn:aws:iam::${accountId}:policy/${deploy}` };
    const AttachedManagedPolicies = RoleName === 'deployer' ? [own] : [readOnly];
    if (RoleName === 'support') AttachedManagedPolicies.push(supportAccess);
    yield cloudObject('RoleDetailList', RoleName, {
      ...{ RoleName, RoleId: `AROA${seeded(company, 'role', RoleName).hex(16).toUpperCase()}` },
      ...{ Arn: `arn:aws:iam::${accountId}:role/${RoleName}`, Path: '/', CreateDate: created },
      AssumeRolePolicyDocument: { Version: '2012-10-17', Statement },
      ...{ RolePolicyList: [], AttachedManagedPolicies, InstanceProfileList: [] },
    });
  }
}

/** The policies of AWS that are attached. */
function* awsPolicies(): Generator<CloudObject> {
  const actions = {
    ReadOnlyAccess: ['s3:Get*', 's3:List*', 'ec2:Describe*'],
    AWSSupportAccess: ['support:*'],
  };
  for (const [PolicyName, Action] of Object.entries(actions))
    yield cloudObject('Policies', PolicyName, {
      ...{ PolicyName, Arn: `arn:aws:iam::aws:policy/${PolicyName}`, Path: '/', DefaultVersionId: 'v1' },
      ...{ AttachmentCount: 1, IsAttachable: true, CreateDate: created, UpdateDate: created },
      PolicyVersionList: [
        {
          ...{ VersionId: 'v1', IsDefaultVersion: true, CreateDate: created },
          Document: { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action, Resource: '*' }] },
        },
      ],
    });
}

/** What identifies the company's people and servers. */
function* providers({ cloud }: Company, today: number): Generator<CloudObject> {
  const arn = (resource: string) => `arn:aws:iam::${cloud.accountId}:${resource}`;
  yield cloudObject('ListSAMLProviders', 'directory', {
    ...{ Arn: arn('saml-provider/directory'), ValidUntil: '2125-05-20T09:00:00Z', CreateDate: created },
  });
  yield cloudObject('ListServerCertificates', 'shop', {
    ...{ ServerCertificateName: 'shop', ServerCertificateId: `ASCA${cloud.accountId}`, Path: '/' },
    ...{ Arn: arn('server-certificate/shop'), UploadDate: created },
    // Renewed in time.
    Expiration: isoSeconds(today + 90 * day),
  });
}

/** A row of the report: all values are strings. */
function credentials(user: string, arn: string, rotated: string, used: string): Record<string, string> {
  return {
    ...{ user, arn, user_creation_time: created.replace('Z', '+00:00') },
    ...{ password_enabled: 'true', password_last_used: used, password_last_changed: rotated },
    ...{ password_next_rotation: 'N/A', mfa_active: 'true' },
    ...{ access_key_1_active: 'true', access_key_1_last_rotated: rotated },
    ...{ access_key_1_last_used_date: used, access_key_1_last_used_region: 'eu-central-1' },
    ...{ access_key_1_last_used_service: 'ec2', access_key_2_active: 'false' },
    ...{ access_key_2_last_rotated: 'N/A', access_key_2_last_used_date: 'N/A' },
    ...{ access_key_2_last_used_region: 'N/A', access_key_2_last_used_service: 'N/A' },
    ...{ cert_1_active: 'false', cert_1_last_rotated: 'N/A' },
    ...{ cert_2_active: 'false', cert_2_last_rotated: 'N/A' },
  };
}
