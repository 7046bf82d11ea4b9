import { ofAccount } from '../../account-resource.ts';
import { defineAwsService } from '../../service.ts';
import { authorizationDetails } from './authorization-details.ts';
import { credentialReport } from './credential-report.ts';
import { serviceLastAccessed } from './service-last-accessed.ts';

const user = { UserName: '{UserName}' };

export default defineAwsService({
  name: 'IAM',
  prefix: 'iam',
  load: () => import('@aws-sdk/client-iam'),
  client: 'IAMClient',
  regions: 'once',
  reads: [
    authorizationDetails,
    credentialReport,
    serviceLastAccessed,
    {
      kind: 'LW_CFG_AWS_IAM_ACCOUNT_SUMMARY',
      type: 'iam:account-summary',
      call: 'GetAccountSummary',
      config: 'SummaryMap',
      ...ofAccount,
    },
    {
      kind: 'LW_CFG_AWS_IAM_ACCOUNT_PASSWORD_POLICY',
      type: 'iam:password-policy',
      call: 'GetAccountPasswordPolicy',
      config: 'PasswordPolicy',
      none: ['NoSuchEntityException'],
      ...ofAccount,
    },
    {
      type: 'iam:user',
      call: 'ListUsers',
      input: { MaxItems: 1_000 },
      items: 'Users',
      id: '{UserName}',
      arn: '{Arn}',
      each: [
        {
          kind: 'LW_CFG_AWS_IAM_USERS_LIST_ACCESS_KEYS',
          call: 'ListAccessKeys',
          input: user,
          items: 'AccessKeyMetadata',
          key: '{AccessKeyId}',
        },
        {
          kind: 'LW_CFG_AWS_IAM_USERS_LIST_MFA_DEVICES',
          call: 'ListMFADevices',
          input: user,
          items: 'MFADevices',
          key: '{SerialNumber}',
        },
        {
          kind: 'LW_CFG_AWS_IAM_USERS_LIST_SSH_PUBLIC_KEYS',
          call: 'ListSSHPublicKeys',
          input: user,
          items: 'SSHPublicKeys',
          key: '{SSHPublicKeyId}',
        },
      ],
    },
    {
      kind: 'LW_CFG_AWS_IAM_SERVER_CERTIFICATES',
      type: 'iam:server-certificate',
      call: 'ListServerCertificates',
      items: 'ServerCertificateMetadataList',
      id: '{ServerCertificateName}',
      arn: '{Arn}',
    },
    {
      kind: 'LW_CFG_AWS_IAM_SAML_PROVIDERS',
      type: 'iam:saml-provider',
      call: 'ListSAMLProviders',
      items: 'SAMLProviderList',
      id: '{Arn}',
    },
    {
      kind: 'LW_CFG_AWS_IAM_OPEN_ID_CONNECT_PROVIDERS',
      type: 'iam:oidc-provider',
      call: 'ListOpenIDConnectProviders',
      items: 'OpenIDConnectProviderList',
      permissions: ['iam:ListOpenIDConnectProviders', 'iam:GetOpenIDConnectProvider'],
      id: '{Arn}',
      // The listing has ARNs only.
      async extend(item, calls) {
        const { Arn } = item as { Arn: string };
        const details = await calls.call('GetOpenIDConnectProvider', { OpenIDConnectProviderArn: Arn });
        return { Arn, ...details };
      },
    },
    {
      kind: 'LW_CFG_AWS_IAM_MFA_DEVICES',
      type: 'iam:virtual-mfa-device',
      call: 'ListVirtualMFADevices',
      input: { AssignmentStatus: 'Any' },
      items: 'VirtualMFADevices',
      id: '{SerialNumber}',
      redact: ['Base32StringSeed', 'QRCodePNG'],
    },
  ],
});
