import type { Resource } from '../../telemetry/resource.ts';
import { CollectError } from '../inventory/problem.ts';
import type { ReadingOutput } from '../inventory/reading.ts';
import type { JsonObject } from './azure-api.ts';
import { type Meaning, meaningOf } from './azure-problem.ts';
import { storedConfig } from './redaction.ts';
import { globalRegion } from './row.ts';
import type { DirectoryRead } from './service.ts';
import type { AzureSession } from './session.ts';

const version = 'v1.0';
const maxRelated = 100_000;

/** Reads one kind of object of the directory. */
export class DirectoryReader {
  readonly #session: AzureSession;
  readonly #read: DirectoryRead;
  readonly #output: ReadingOutput;
  readonly #keys = new Set<string>();

  constructor(session: AzureSession, read: DirectoryRead, output: ReadingOutput) {
    this.#session = session;
    this.#read = read;
    this.#output = output;
  }

  async read(signal: AbortSignal): Promise<void> {
    const { licensed = [], path } = this.#read;
    const complete = licensed.length > 0 ? `${path},${licensed.join(',')}` : path;
    let meaning = await this.#attempt(complete, signal);
    if (meaning?.status === 'not enabled' && licensed.length > 0) meaning = await this.#attempt(path, signal);
    if (meaning) throw new CollectError(meaning);
  }

  async #attempt(path: string, signal: AbortSignal): Promise<Exclude<Meaning, 'none'> | undefined> {
    try {
      if (this.#read.isList) await this.#list(path, signal);
      else await this.#add(await this.#session.api.call(this.#call(path), signal));
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      const meaning = meaningOf(error, {}, path.replace(/\?.*$/, ''), this.#read.permissions.join(', '));
      if (meaning !== 'none') return meaning;
      if (!this.#read.isList) await this.#add({ id: this.#read.type });
      return undefined;
    }
  }

  async #list(path: string, signal: AbortSignal): Promise<void> {
    for await (const page of this.#session.api.pages(this.#call(path), '@odata.nextLink', signal))
      for (const value of page) {
        const object: JsonObject = Object(value);
        if (typeof object.id !== 'string') throw new Error('an object has no id');
        await this.#add(await this.#withRelated(object, signal));
      }
  }

  async #withRelated(object: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const { related } = this.#read;
    if (!related) return object;
    const objects: unknown[] = [];
    const path = related.path.replace('{id}', encodeURIComponent(String(object.id)));
    for await (const page of this.#session.api.pages(this.#call(path), '@odata.nextLink', signal)) {
      objects.push(...page);
      if (objects.length > maxRelated) throw new Error(`more than ${maxRelated} ${related.member}`);
    }
    return { ...object, [related.member]: objects };
  }

  #call(path: string) {
    const budget = this.#read.rate ? `Microsoft Graph ${this.#read.type}` : 'Microsoft Graph';
    return { api: 'graph', path: `/${version}/${path}`, budget, rate: this.#read.rate } as const;
  }

  async #add(object: JsonObject): Promise<void> {
    const resource = this.#resource(object);
    if (this.#keys.has(resource.key)) return;
    this.#keys.add(resource.key);
    for (const kind of this.#read.kinds) await this.#output.add(kind, resource);
  }

  #resource(object: JsonObject): Resource {
    const { type, path, redact = [] } = this.#read;
    const id = String(object.id ?? type);
    const { scope } = this.#session;
    const urn = `/tenants/${scope.tenant.id}/microsoft.graph/${type.toLowerCase()}/${id}`;
    const config = Object.fromEntries(Object.entries(object).filter(([name]) => name !== '@odata.context'));
    return {
      key: urn.toLowerCase(),
      facts: {
        ...{ URN: urn, RESOURCE_ID: id, RESOURCE_TYPE: `microsoft.graph/${type.toLowerCase()}` },
        ...{ RESOURCE_TYPE_VERSION: version, RESOURCE_REGION: globalRegion, SERVICE: 'microsoft.graph' },
        ...{ API_KEY: path.replace(/\?.*$/, ''), KEYS: JSON.stringify([id]) },
        ...scope.facts,
      },
      config: storedConfig(config, redact, urn),
      tags: undefined,
    };
  }
}
