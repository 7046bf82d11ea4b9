import type { Problem } from '../inventory/problem.ts';
import type { ReadingOutput } from '../inventory/reading.ts';
import { AzureError, type Meaning, meaningOf } from './azure-problem.ts';
import { type AzureRow, isRow, resourceOf } from './row.ts';
import { type AzureRead, type AzureService, kindOf, pathsOf, readAction } from './service.ts';
import type { AzureParent, AzureSession } from './session.ts';

/** So many refusals in a row mean that the permission is missing everywhere. */
const maxRefusals = 10;

/** Reads one kind of the management plane, parent by parent. */
export class ChildReader {
  readonly #session: AzureSession;
  readonly #service: AzureService;
  readonly #read: AzureRead;
  readonly #kind: string;
  readonly #output: ReadingOutput;
  readonly #keys = new Set<string>();
  #refusals = 0;
  #hasEnded = false;

  constructor(session: AzureSession, service: AzureService, read: AzureRead, output: ReadingOutput) {
    this.#session = session;
    this.#service = service;
    this.#read = read;
    this.#kind = kindOf(read);
    this.#output = output;
  }

  /** Whether the kind has a problem as a whole, so that nothing more needs to be read. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  async readBelow(parent: AzureParent, signal: AbortSignal): Promise<void> {
    if (this.#read.except?.includes(parent.name.toLowerCase())) return;
    for (const path of pathsOf(this.#read)) {
      if (this.#hasEnded) return;
      try {
        await (this.#read.isList ? this.#list(parent, path, signal) : this.#get(parent, path, signal));
        this.#refusals = 0;
      } catch (error) {
        signal.throwIfAborted();
        const what = `${path} of ${parent.id.slice(0, 300)}`;
        await this.#explain(meaningOf(error, this.#read, what, readAction(this.#read)), parent, path);
      }
    }
  }

  end(problem: Problem): void {
    this.#hasEnded = true;
    this.#output.gap(this.#kind, problem);
  }

  async #get(parent: AzureParent, path: string, signal: AbortSignal): Promise<void> {
    const reply = await this.#session.api.call(this.#call(parent, path), signal);
    await this.#add({ ...reply, id: idOf(reply) ?? `${parent.id}/${path}` }, parent);
  }

  async #list(parent: AzureParent, path: string, signal: AbortSignal): Promise<void> {
    let count = 0;
    for await (const page of this.#session.api.pages(this.#call(parent, path), 'nextLink', signal))
      for (const row of page) {
        if (!isRow(row)) throw new Error('a row has no id');
        count++;
        const whole = this.#read.isSummary ? await this.#whole(row, parent, signal) : row;
        if (whole) await this.#add(whole, parent);
      }
    if (count === 0 && this.#read.keepsEmpty) await this.#addEmpty(parent, path);
  }

  /** A resource of an array that has only some of its members; undefined if it was deleted since. */
  async #whole(row: AzureRow, parent: AzureParent, signal: AbortSignal): Promise<AzureRow | undefined> {
    if (!row.id.toLowerCase().startsWith(`${parent.id.toLowerCase()}/`))
      throw new Error('a row is of another parent');
    try {
      return { ...(await this.#session.api.call(this.#callTo(row.id, parent), signal)), id: row.id };
    } catch (error) {
      if (error instanceof AzureError && error.status === 404) return undefined;
      throw error;
    }
  }

  #call(parent: AzureParent, path: string) {
    return this.#callTo(`${parent.id}/${path}`, parent);
  }

  #callTo(id: string, { location }: AzureParent) {
    const path = id.split('/').map(encodeURIComponent).join('/');
    const version = `?api-version=${this.#read.apiVersion}`;
    return this.#session.managementCall(path + version, this.#service, location);
  }

  async #explain(meaning: Meaning, parent: AzureParent, path: string): Promise<void> {
    const { isList, keepsEmpty } = this.#read;
    if (meaning === 'none') {
      if (!isList || keepsEmpty) await this.#addEmpty(parent, path);
      return;
    }
    this.#refusals = meaning.status === 'denied' ? this.#refusals + 1 : 0;
    // The resources of an array are unknown, so that nothing of the kind may be replaced.
    if (isList || this.#refusals >= maxRefusals) this.end(meaning);
    else {
      const id = this.#session.scope.unique(`${parent.id}/${path}`);
      await this.#output.unread(this.#kind, id.toLowerCase(), meaning);
    }
  }

  /** Asked and empty. */
  async #addEmpty(parent: AzureParent, path: string): Promise<void> {
    await this.#add({ id: `${parent.id}/${path}` }, parent);
  }

  async #add(row: AzureRow, parent: AzureParent): Promise<void> {
    const { type, redact = [] } = this.#read;
    const origin = { type: type.toLowerCase(), redact, call: pathsOf(this.#read)[0] ?? '' };
    const { scope } = this.#session;
    const id = scope.unique(row.id);
    const inherited = {
      ...row,
      id,
      location: row.location ?? parent.location,
      tags: row.tags ?? parent.tags,
    };
    const resource = resourceOf(inherited, origin, scope);
    if (this.#keys.has(resource.key)) return;
    this.#keys.add(resource.key);
    await this.#output.add(this.#kind, resource);
  }
}

function idOf({ id }: { readonly id?: unknown }): string | undefined {
  return typeof id === 'string' && id.startsWith('/') ? id : undefined;
}
