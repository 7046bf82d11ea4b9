import { ReplyTooLargeError } from '../../outbound/bulk-outbound.ts';
import type { ApiRate } from '../inventory/budget.ts';
import { CollectError } from '../inventory/problem.ts';
import { type GoogleApi, GoogleError } from './google-api.ts';

/** What is listed of an asset, and the permission for it. */
export const contentTypes = {
  RESOURCE: 'cloudasset.assets.listResource',
  IAM_POLICY: 'cloudasset.assets.listIamPolicy',
} as const;
export type ContentType = keyof typeof contentTypes;

/**
 * 100 calls a minute for each consumer project, which is stricter than 800 for each organization:
 * https://cloud.google.com/asset-inventory/docs/quota
 */
export const listAssetsRate: ApiRate = { perSecond: 100 / 60 };

export const assetsEndpoint = 'https://cloudasset.googleapis.com';
const pageSize = 1_000;
/** More than any kind may have resources. */
const maxPages = 2_000;
const maxEmptyPages = 20;

export interface AssetListing {
  /** `projects/<id>`, `folders/<number>` or `organizations/<number>`. */
  readonly parent: string;
  readonly contentType: ContentType;
  /** All that have such content if it is absent. */
  readonly assetTypes?: readonly string[];
}

/** Thrown if the API does not know some of the asset types. */
export class UnknownAssetTypesError extends CollectError {
  readonly assetTypes: readonly string[];

  constructor(assetTypes: readonly string[], cause: GoogleError) {
    super(cause, cause);
    this.assetTypes = assetTypes;
  }
}

/** The listings of Cloud Asset Inventory. */
export class AssetClient {
  readonly #api: GoogleApi;
  readonly #endpoint: string;

  constructor(api: GoogleApi, endpoint = assetsEndpoint) {
    this.#api = api;
    this.#endpoint = endpoint;
  }

  /** The pages of a listing, as they come. */
  async *pages(listing: AssetListing, signal: AbortSignal): AsyncGenerator<readonly unknown[]> {
    const what = `assets.list ${listing.contentType} of ${listing.parent}`;
    const tokens = new Set<string>();
    let emptyPages = 0;
    for (let token = ''; ; ) {
      const { assets = [], nextPageToken = '' } = await this.#page(listing, what, token, signal);
      if (!Array.isArray(assets) || typeof nextPageToken !== 'string')
        throw failed(`${what}: assets is not an array, or nextPageToken not a string.`);
      yield assets;
      if (nextPageToken === '') return;
      emptyPages = assets.length === 0 ? emptyPages + 1 : 0;
      if (tokens.has(nextPageToken)) throw failed(`${what}: the page token is repeated.`);
      if (tokens.size >= maxPages || emptyPages > maxEmptyPages)
        throw failed(`${what}: the pages do not end after ${tokens.size + 1}, of which ${emptyPages} empty.`);
      tokens.add(nextPageToken);
      token = nextPageToken;
    }
  }

  /** A page that is too large is asked for with fewer assets. */
  async #page(listing: AssetListing, what: string, token: string, signal: AbortSignal) {
    const { contentType } = listing;
    const call = {
      ...{ what, permission: contentTypes[contentType], api: 'cloudasset', rate: listAssetsRate },
    };
    for (let size = pageSize; ; size = Math.ceil(size / 10)) {
      try {
        return await this.#api.get({ ...call, url: this.#url(listing, token, size) }, signal);
      } catch (error) {
        if (error instanceof GoogleError) throw unknownTypesIn(error, listing) ?? error;
        if (!(error instanceof ReplyTooLargeError)) throw error;
        if (size === 1) throw failed(`${what}: ${error.message}`);
      }
    }
  }

  #url({ parent, contentType, assetTypes = [] }: AssetListing, token: string, size: number): string {
    const query = new URLSearchParams({ contentType, pageSize: String(size) });
    for (const type of assetTypes) query.append('assetTypes', type);
    if (token) query.set('pageToken', token);
    const path = parent.split('/').map(encodeURIComponent).join('/');
    return `${this.#endpoint}/v1/${path}/assets?${query}`;
  }
}

/** `No RESOURCE found that matches asset type compute.googleapis.com/Nothing for consumer project: …` */
function unknownTypesIn(
  error: GoogleError,
  { assetTypes = [] }: AssetListing,
): UnknownAssetTypesError | undefined {
  if (error.reply.status !== 400) return undefined;
  const named = new Set(error.reply.message.match(/[\w.-]+\/\w+/g));
  const unknown = assetTypes.filter((type) => named.has(type));
  return unknown.length > 0 ? new UnknownAssetTypesError(unknown, error) : undefined;
}

function failed(reason: string): CollectError {
  return new CollectError({ status: 'failed', reason });
}
