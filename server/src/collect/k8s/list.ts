import { OutboundError } from '../../outbound/outbound.ts';
import { CollectError } from '../inventory/problem.ts';
import type { K8sApi } from './api.ts';
import { K8sStatusError } from './k8s-problem.ts';
import { isObject } from './object.ts';

/** Objects in a page; fewer if they are too large for one reply. */
const pageSize = 500;
const smallPageSize = 25;
/** More than the largest snapshot has, for a server that never ends its list. */
const maxObjects = 600_000;
const maxEmptyPages = 10;
const maxToken = 8_192;
/** A continue token expires after minutes; a cluster where that happens again and again is too slow for a snapshot. */
const maxRestarts = 3;

export interface K8sListRequest {
  readonly path: string;
  readonly accept?: string;
  readonly signal: AbortSignal;
}

/**
 * The elements of a list, page by page. If the token of the next page has expired (410 Gone), the list starts again:
 * its elements may then be repeated.
 */
export async function* listed(api: K8sApi, request: K8sListRequest): AsyncGenerator<unknown> {
  const { path } = request;
  const failed = (problem: string) =>
    new CollectError({ status: 'failed', reason: `GET ${path}: ${problem}.` });
  let restarts = 0;
  let emptyPages = 0;
  let limit = pageSize;
  let token = '';
  for (let asked = 0; ; asked += limit) {
    if (asked >= maxObjects) throw failed(`the list has no end after ${maxObjects} objects`);
    const query = { limit: String(limit), ...(token && { continue: token }) };
    let page: Record<string, unknown>;
    try {
      page = await api.get({ ...request, query });
    } catch (error) {
      if (error instanceof OutboundError && error.isFinal && limit === pageSize) {
        limit = smallPageSize;
        continue;
      }
      if (!(error instanceof K8sStatusError) || error.status !== 410 || token === '') throw error;
      if (++restarts > maxRestarts)
        throw failed(`the list expired ${restarts} times while it was read (410 Gone)`);
      token = '';
      asked = 0;
      continue;
    }
    const { items, metadata } = page;
    // Empty lists are null in Go.
    if (items !== null && !Array.isArray(items)) throw failed('the reply has no array of items');
    yield* items ?? [];
    const next = isObject(metadata) ? metadata.continue : undefined;
    if (next === undefined || next === null || next === '') return;
    if (typeof next !== 'string' || next.length > maxToken) throw failed('the continue token is invalid');
    if (next === token) throw failed('the server returned the same continue token twice');
    emptyPages = !items?.length ? emptyPages + 1 : 0;
    if (emptyPages > maxEmptyPages)
      throw failed(`the server returned ${emptyPages} empty pages in succession`);
    token = next;
  }
}
