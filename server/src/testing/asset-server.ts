import type { Reaction, Received, Receiver } from './receiver.ts';

export const assetHosts = [
  'cloudasset.googleapis.com',
  'cloudresourcemanager.googleapis.com',
  'oauth2.googleapis.com',
];

/** A row as the API returns it, with both contents. */
export interface PlantedAsset {
  readonly name: string;
  readonly assetType: string;
  readonly ancestors?: unknown;
  readonly resource?: unknown;
  readonly iamPolicy?: unknown;
}

/** Answers like Cloud Asset Inventory: lists what was planted, in pages. */
export class AssetServer {
  readonly assets: PlantedAsset[] = [];
  /** Asset types that the API does not know. */
  readonly unknownTypes = new Set<string>();
  /** The largest page; requests may ask for less. */
  maxPage = 1_000;
  /** Reacts before everything else, if it returns something. */
  before: (url: URL, received: Received) => Reaction | undefined = () => undefined;
  /** Requests for listings, in order. */
  readonly listings: URL[] = [];

  constructor(receiver: Receiver) {
    receiver.react = (received) => this.#react(received);
  }

  #react(received: Received): Reaction {
    const url = new URL(received.url);
    if (url.hostname === 'oauth2.googleapis.com')
      return json({ access_token: 'canary-token', expires_in: 3_600 });
    this.listings.push(url);
    const reaction = this.before(url, received);
    if (reaction) return reaction;
    if (received.headers.authorization !== 'Bearer canary-token')
      return errorReply(401, 'UNAUTHENTICATED', 'No.');
    return this.#list(url.searchParams);
  }

  #list(query: URLSearchParams): Reaction {
    const types = query.getAll('assetTypes');
    const contentType = String(query.get('contentType'));
    const unknown = types.find((type) => this.unknownTypes.has(type));
    if (unknown)
      return errorReply(
        400,
        'INVALID_ARGUMENT',
        `No ${contentType} found that matches asset type ${unknown} for consumer project: 42. For a list of supported content types and asset types, see https://cloud.google.com/asset-inventory/docs/supported-asset-types`,
      );
    const content = contentType === 'RESOURCE' ? 'resource' : 'iamPolicy';
    const rows = this.assets
      .filter((asset) => content in asset && (types.length === 0 || types.includes(asset.assetType)))
      .map(({ resource, iamPolicy, ...rest }) => ({
        ...rest,
        ...(content === 'resource' ? { resource } : { iamPolicy }),
        updateTime: '2026-03-01T11:00:00Z',
      }));
    const from = Number(query.get('pageToken') ?? 0);
    const end = from + Math.min(Number(query.get('pageSize') ?? 100), this.maxPage);
    return json({
      readTime: '2026-03-01T12:00:00Z',
      assets: rows.slice(from, end),
      ...(end < rows.length && { nextPageToken: String(end) }),
    });
  }
}

export function json(body: unknown): Reaction {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

export function errorReply(
  code: number,
  status: string,
  message: string,
  info?: { reason: string; metadata?: object },
): Reaction {
  const details = info && [
    { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', domain: 'googleapis.com', ...info },
  ];
  return {
    status: code,
    body: JSON.stringify({ error: { code, message, status, ...(details && { details }) } }),
  };
}

const ancestors = ['projects/1001', 'folders/2001', 'organizations/3001'];

/** A resource of the project `shop`. */
export function planted(assetType: string, path: string, data: object, location = ''): PlantedAsset {
  const name = `//${assetType.split('/')[0]}/${path}`;
  const parent = '//cloudresourcemanager.googleapis.com/projects/1001';
  return {
    name,
    assetType,
    ancestors,
    resource: { version: 'v1', parent, data, ...(location && { location }) },
  };
}

export function plantedPolicy(assetType: string, path: string, iamPolicy: object): PlantedAsset {
  return { name: `//${assetType.split('/')[0]}/${path}`, assetType, ancestors, iamPolicy };
}

const manager = 'cloudresourcemanager.googleapis.com';

/** The project `shop` in the folder Web of the organization amberwood.example. */
export const hierarchyAssets: readonly PlantedAsset[] = [
  {
    ...planted(`${manager}/Project`, 'projects/1001', {
      ...{ projectId: 'shop', projectNumber: '1001', name: 'The shop', lifecycleState: 'ACTIVE' },
      labels: { team: 'web' },
    }),
    iamPolicy: {
      version: 1,
      etag: 'abc=',
      bindings: [{ role: 'roles/owner', members: ['user:ada@amberwood.example'] }],
    },
  },
  {
    ...planted(`${manager}/Folder`, 'folders/2001', { displayName: 'Web', name: 'folders/2001' }),
    ancestors: ancestors.slice(1),
  },
  {
    ...planted(`${manager}/Organization`, 'organizations/3001', { displayName: 'amberwood.example' }),
    ancestors: ancestors.slice(2),
  },
];
