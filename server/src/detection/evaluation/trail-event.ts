type Members = Readonly<Record<string, unknown>>;

/** The members of an AWS CloudTrail event for alerts and summaries; missing strings are empty. */
export interface TrailEvent {
  readonly api: string;
  readonly service: string;
  readonly region: string;
  readonly account: string;
  readonly address: string;
  readonly userName: string;
  readonly userAccount: string;
  readonly principalId: string;
  readonly identityType: string;
  readonly identityName: string;
  readonly arn: string;
  readonly mfa: boolean;
  readonly isAssumedRole: boolean;
  readonly errorCode: string;
  readonly resources: readonly { readonly name: string; readonly value: string }[];
  readonly raw: Members;
}

const maxResources = 20;

/** Undefined if the value is not an event. */
export function trailEventOf(value: unknown): TrailEvent | undefined {
  const raw = membersOf(value);
  if (stringOf(raw.eventName) === '') return undefined;
  const identity = membersOf(raw.userIdentity);
  const session = membersOf(identity.sessionContext);
  const issuer = membersOf(session.sessionIssuer);
  const type = stringOf(identity.type);
  const identityName = stringOf(identity.userName) || stringOf(issuer.userName);
  const login = stringOf(membersOf(raw.additionalEventData).MFAUsed);
  return {
    api: stringOf(raw.eventName),
    service: stringOf(raw.eventSource),
    region: stringOf(raw.awsRegion),
    account: stringOf(raw.recipientAccountId) || stringOf(identity.accountId),
    address: stringOf(raw.sourceIPAddress),
    userName: userNameOf(identity, identityName),
    userAccount: stringOf(identity.accountId) || stringOf(raw.recipientAccountId),
    principalId: stringOf(identity.principalId),
    identityType: type,
    identityName,
    arn: stringOf(identity.arn),
    mfa: stringOf(membersOf(session.attributes).mfaAuthenticated) === 'true' || login === 'Yes',
    isAssumedRole: type === 'AssumedRole',
    errorCode: stringOf(raw.errorCode),
    resources: resourcesOf(raw),
    raw,
  };
}

/** A role session has both names, as in its ARN. */
function userNameOf(identity: Members, identityName: string): string {
  const session = /:assumed-role\/([^/]+\/.+)$/.exec(stringOf(identity.arn))?.[1];
  if (session) return session;
  if (stringOf(identity.type) === 'Root') return 'root';
  return (
    identityName || stringOf(identity.invokedBy) || stringOf(identity.arn) || stringOf(identity.principalId)
  );
}

/** The resources of the event, or else those in the request parameters. */
function resourcesOf({ resources, requestParameters }: Members): TrailEvent['resources'] {
  const explicit = (Array.isArray(resources) ? resources : []).flatMap((each: unknown) => {
    const { ARN, type } = membersOf(each);
    return stringOf(ARN) ? [{ name: stringOf(type) || 'arn', value: stringOf(ARN) }] : [];
  });
  if (explicit.length > 0) return explicit.slice(0, maxResources);
  return Object.entries(membersOf(requestParameters))
    .filter(([name, value]) => /(?:Name|Id|Arn|name)$/.test(name) && stringOf(value) !== '')
    .map(([name, value]) => ({ name, value: stringOf(value) }))
    .slice(0, maxResources);
}

export function membersOf(value: unknown): Members {
  if (typeof value === 'string' && value.startsWith('{')) return membersOf(parsed(value));
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

/** The value as a string; empty for anything else. */
export function stringOf(value: unknown): string {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value)
    ? String(value).slice(0, maxStringLength)
    : '';
}

const maxStringLength = 2_048;

function parsed(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
