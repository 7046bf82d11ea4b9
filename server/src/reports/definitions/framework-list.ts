import { setImmediate } from 'node:timers/promises';
import type { ControlStore } from '../../control/store.ts';
import type { Policies } from '../../detection/policies/policies.ts';
import { policyRecord } from '../../detection/policies/record.ts';
import { formatInstant } from '../../platform/instant.ts';
import type { BuiltInDefinitions } from './built-in-definitions.ts';
import { type FrameworkSource, framed } from './framework-record.ts';
import { type DefinitionRow, definitionRecord } from './record.ts';

export interface FrameworkListDeps {
  readonly store: ControlStore;
  readonly policies: Policies;
  readonly builtIn: BuiltInDefinitions;
}

const chunkBytes = 256 * 1024;
/** A custom definition takes up to 1 MB. */
const rowsAtOnce = 20;

/**
 * All frameworks of an account with their policies: megabytes of JSON, because most policies are in many frameworks.
 * Each policy is serialised once, and the response is streamed.
 */
export class FrameworkList {
  readonly #deps: FrameworkListDeps;

  constructor(deps: FrameworkListDeps) {
    this.#deps = deps;
  }

  /** The records as JSON separated by commas, in chunks. */
  async *chunks(ownerId: string): AsyncGenerator<Uint8Array, undefined> {
    const serialized = new Map<string, Buffer>();
    for (const policy of await this.#deps.policies.builtIn.list(ownerId))
      serialized.set(policy.policyId, Buffer.from(JSON.stringify(policy)));
    let pending: Buffer[] = [];
    let bytes = 0;
    let separator = '';
    for await (const source of this.#sources(ownerId)) {
      await this.#addCustom(serialized, ownerId, source);
      for (const part of parts(source, serialized)) {
        pending.push(Buffer.from(separator), part);
        separator = '';
        bytes += part.length;
        if (bytes < chunkBytes) continue;
        yield Buffer.concat(pending);
        [pending, bytes] = [[], 0];
        await setImmediate();
      }
      separator = ',';
    }
    if (pending.length > 0) yield Buffer.concat(pending);
    return undefined;
  }

  /** Built-in ones first. */
  async *#sources(ownerId: string): AsyncGenerator<FrameworkSource> {
    const { builtIn, store } = this.#deps;
    for (const definition of await builtIn.list()) {
      const { createdTime, createdBy } = definition;
      yield { definition, createdTime, createdBy };
    }
    for (let after = ''; ; ) {
      const rows: DefinitionRow[] = await store.read
        .selectFrom('report_definitions')
        .selectAll()
        .where('owner_id', '=', ownerId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(rowsAtOnce)
        .execute();
      for (const row of rows)
        yield {
          definition: definitionRecord(row),
          createdTime: formatInstant(row.created_at),
          createdBy: row.created_by,
        };
      after = rows.at(-1)?.id ?? '';
      if (rows.length < rowsAtOnce) return;
    }
  }

  async #addCustom(
    serialized: Map<string, Buffer>,
    ownerId: string,
    { definition: { reportDefinition } }: FrameworkSource,
  ): Promise<void> {
    const ids = new Set(reportDefinition.sections.flatMap(({ policies }) => policies));
    const missing = [...ids].filter((id) => !serialized.has(id));
    if (missing.length === 0) return;
    const rows = await this.#deps.store.read
      .selectFrom('policies')
      .selectAll()
      .where('owner_id', '=', ownerId)
      .where('id', 'in', missing)
      .execute();
    for (const row of rows) serialized.set(row.id, Buffer.from(JSON.stringify(policyRecord(row))));
  }
}

/** A framework in parts. Policies that were deleted since they were chosen are omitted. */
function* parts(source: FrameworkSource, serialized: ReadonlyMap<string, Buffer>): Generator<Buffer> {
  const [head, tail] = framed(source);
  const comma = Buffer.from(',');
  yield Buffer.from(head);
  for (const [index, { title, policies }] of source.definition.reportDefinition.sections.entries()) {
    yield Buffer.from(`${index > 0 ? ',' : ''}{"name":${JSON.stringify(title)},"policies":[`);
    const records = policies.flatMap((id) => serialized.get(id) ?? []);
    for (const [at, record] of records.entries()) {
      if (at > 0) yield comma;
      yield record;
    }
    yield Buffer.from(']}');
  }
  yield Buffer.from(tail);
}
