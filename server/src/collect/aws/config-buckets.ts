import { type ConfigItem, type Members, membersOf, wrapped } from './config-item.ts';

/** What the calls about a bucket return, from the supplement of a bucket. */
export const bucketDetails: Readonly<Record<string, (item: ConfigItem) => unknown>> = {
  GetBucketLocation: ({ region }) => ({ LocationConstraint: region }),
  GetBucketTagging: ({ tags }) => ({ TagSet: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) }),
  GetBucketAcl: ({ supplement }) => {
    const { grantList, owner } = membersOf(supplement.AccessControlList);
    if (!Array.isArray(grantList)) return undefined;
    return { Owner: { ID: membersOf(owner).id }, Grants: grantList.map(grantOf) };
  },
  GetBucketPolicy: ({ supplement }) => {
    const { policyText } = membersOf(supplement.BucketPolicy);
    return typeof policyText === 'string' ? { Policy: policyText } : undefined;
  },
  GetPublicAccessBlock: ({ supplement }) =>
    wrapped('PublicAccessBlockConfiguration', supplement.PublicAccessBlockConfiguration),
  GetBucketEncryption: ({ supplement }) =>
    wrapped('ServerSideEncryptionConfiguration', supplement.ServerSideEncryptionConfiguration),
  GetBucketVersioning: ({ supplement }) => {
    const { status, isMfaDeleteEnabled } = membersOf(supplement.BucketVersioningConfiguration);
    if (status === undefined || status === 'Off') return {};
    const MFADelete = typeof isMfaDeleteEnabled === 'boolean' && {
      MFADelete: isMfaDeleteEnabled ? 'Enabled' : 'Disabled',
    };
    return { Status: status, ...MFADelete };
  },
  GetBucketLogging: ({ supplement }) => {
    const { destinationBucketName, logFilePrefix } = membersOf(supplement.BucketLoggingConfiguration);
    if (typeof destinationBucketName !== 'string') return {};
    return { LoggingEnabled: { TargetBucket: destinationBucketName, TargetPrefix: logFilePrefix ?? '' } };
  },
};

/** An older SDK names groups and permissions in its own way. */
function grantOf(grant: unknown): Members {
  const { grantee, permission } = membersOf(grant);
  const { id, uri } = membersOf(grantee);
  const group = typeof grantee === 'string' ? groups[grantee] : uri;
  return {
    Grantee: group === undefined ? { ID: id, Type: 'CanonicalUser' } : { URI: group, Type: 'Group' },
    Permission: String(permission)
      .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
      .toUpperCase(),
  };
}

const groups: Readonly<Record<string, string>> = {
  AllUsers: 'http://acs.amazonaws.com/groups/global/AllUsers',
  AuthenticatedUsers: 'http://acs.amazonaws.com/groups/global/AuthenticatedUsers',
  LogDelivery: 'http://acs.amazonaws.com/groups/s3/LogDelivery',
};
