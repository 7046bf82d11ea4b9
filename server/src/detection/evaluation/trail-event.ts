type Members = Readonly<Record<string, unknown>>;

/** An event of AWS CloudTrail, as far as alerts and summaries show it; texts are empty where the event is silent. */
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

const mostResources = 20;

/** Undefined for what is no event. */
export function trailEventOf(value: unknown): TrailEvent | undefined {
  const raw = membersOf(value);
  if (text(raw.eventName) === '') return undefined;
  const identity = membersOf(raw.userIdentity);
  const session = membersOf(identity.sessionContext);
  const issuer = membersOf(session.sessionIssuer);
  const type = text(identity.type);
  const identityName = text(identity.userName) || text(issuer.userName);
  const login = text(membersOf(raw.additionalEventData).MFAUsed);
  return {
    api: text(raw.eventName),
    service: text(raw.eventSource),
    region: text(raw.awsRegion),
    account: text(raw.recipientAccountId) || text(identity.accountId),
    address: text(raw.sourceIPAddress),
    userName: userNameOf(identity, identityName),
    userAccount: text(identity.accountId) || text(raw.recipientAccountId),
    principalId: text(identity.principalId),
    identityType: type,
    identityName,
    arn: text(identity.arn),
    mfa: text(membersOf(session.attributes).mfaAuthenticated) === 'true' || login === 'Yes',
    isAssumedRole: type === 'AssumedRole',
    errorCode: text(raw.errorCode),
    resources: resourcesOf(raw),
    raw,
  };
}

/** A session of a role goes by both names, as its ARN has them. */
function userNameOf(identity: Members, identityName: string): string {
  const session = /:assumed-role\/([^/]+\/.+)$/.exec(text(identity.arn))?.[1];
  if (session) return session;
  if (text(identity.type) === 'Root') return 'root';
  return identityName || text(identity.invokedBy) || text(identity.arn) || text(identity.principalId);
}

/** What the event names as resources, and otherwise what the call was about. */
function resourcesOf({ resources, requestParameters }: Members): TrailEvent['resources'] {
  const listed = (Array.isArray(resources) ? resources : []).flatMap((each: unknown) => {
    const { ARN, type } = membersOf(each);
    return text(ARN) ? [{ name: text(type) || 'arn', value: text(ARN) }] : [];
  });
  if (listed.length > 0) return listed.slice(0, mostResources);
  return Object.entries(membersOf(requestParameters))
    .filter(([name, value]) => /(?:Name|Id|Arn|name)$/.test(name) && text(value) !== '')
    .map(([name, value]) => ({ name, value: text(value) }))
    .slice(0, mostResources);
}

export function membersOf(value: unknown): Members {
  if (typeof value === 'string' && value.startsWith('{')) return membersOf(parsed(value));
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

/** A value as text; empty for what is none. */
export function text(value: unknown): string {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value)
    ? String(value).slice(0, longestText)
    : '';
}

const longestText = 2_048;

function parsed(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
