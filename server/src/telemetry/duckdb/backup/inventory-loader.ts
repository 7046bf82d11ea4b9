import type { DuckDBConnection } from '@duckdb/node-api';
import type {
  EvaluationPlace,
  EvaluationRun,
  LastEvaluation,
  ScopePositions,
  StoredEvaluation,
} from '../../evaluation-history.ts';
import type { ResourceVersion } from '../../resource.ts';
import { digestOf } from '../../resource-digest.ts';
import type { CollectionAttempt } from '../../snapshot.ts';
import type { BackupEntry } from '../../store.ts';
import { insertAttempts, insertPositions } from '../inventory/attempts.ts';
import type { Inventory } from '../inventory/inventory.ts';
import {
  insertEvaluations,
  insertLastEvaluations,
  insertPlaces,
  insertRuns,
} from '../inventory/posture-rows.ts';
import { insertVersions, type VersionRow } from '../inventory/versions.ts';
import { RowBuffer } from './row-buffer.ts';

/** An entry of a backup that belongs to no day. */
export type InventoryEntry = Exclude<BackupEntry, DayEntry>;
export type DayEntry = Extract<
  BackupEntry,
  { readonly batch: unknown } | { readonly further: unknown } | { readonly records: unknown }
>;

/** Bytes of a row without its documents. */
const rowBytes = 200;

type Insert<Row> = (connection: DuckDBConnection, rows: readonly Row[]) => Promise<void>;

/** Fills an empty inventory with the resources of a backup and their evaluations. */
export class InventoryLoader {
  readonly #inventory: Inventory;
  readonly #spend: (bytes: number) => Promise<void>;
  readonly #resources = new RowBuffer<ResourceVersion>({
    bytesOf: ({ config }) => config.length,
    write: (rows, bytes) => this.#writeVersions(rows, bytes),
  });
  readonly #attempts = this.#buffer<CollectionAttempt>(
    insertAttempts,
    ({ unread }) => rowBytes * (1 + unread.length),
    ({ position = 0 }) => position,
  );
  readonly #scopes = this.#buffer<ScopePositions>(
    insertPositions,
    () => rowBytes,
    ({ changed, statusChanged }) => Math.max(changed, statusChanged),
  );
  readonly #evaluations = this.#buffer<StoredEvaluation>(
    insertEvaluations,
    ({ result = '' }) => rowBytes + result.length,
  );
  readonly #places = this.#buffer<EvaluationPlace>(insertPlaces, () => rowBytes);
  readonly #lastEvaluations = this.#buffer<LastEvaluation>(
    insertLastEvaluations,
    () => rowBytes,
    ({ covers }) => covers,
  );
  readonly #runs = this.#buffer<EvaluationRun>(insertRuns, ({ policyIds }) => rowBytes * policyIds.length);

  constructor(inventory: Inventory, spend: (bytes: number) => Promise<void>) {
    this.#inventory = inventory;
    this.#spend = spend;
  }

  async add(entry: InventoryEntry): Promise<void> {
    if ('resource' in entry) await this.#resources.add(entry.resource);
    else if ('attempt' in entry) await this.#attempts.add(entry.attempt);
    else if ('scope' in entry) await this.#scopes.add(entry.scope);
    else if ('evaluation' in entry) await this.#evaluations.add(entry.evaluation);
    else if ('place' in entry) await this.#places.add(entry.place);
    else if ('lastEvaluation' in entry) await this.#lastEvaluations.add(entry.lastEvaluation);
    else await this.#runs.add(entry.run);
  }

  async ready(): Promise<void> {
    for (const buffer of [
      ...[this.#resources, this.#attempts, this.#scopes, this.#evaluations],
      ...[this.#places, this.#lastEvaluations, this.#runs],
    ])
      await buffer.flush();
    await this.#inventory.loaded();
  }

  #buffer<Row>(
    insert: Insert<Row>,
    bytesOf: (row: Row) => number,
    positionOf: (row: Row) => number = () => 0,
  ) {
    return new RowBuffer<Row>({
      bytesOf,
      write: async (rows, bytes) => {
        await this.#spend(bytes);
        const last = rows.reduce((max, row) => Math.max(max, positionOf(row)), 0);
        await this.#inventory.load((connection) => insert(connection, rows), last);
      },
    });
  }

  async #writeVersions(versions: readonly ResourceVersion[], bytes: number): Promise<void> {
    await this.#spend(bytes);
    const next = this.#inventory.lastNumber + 1;
    const rows = versions.map(
      ({ opened, closed, ...version }, at): VersionRow => ({
        ...version,
        id: opened ?? next + at,
        digest: digestOf({ tags: undefined, ...version }),
        // Without a position, closed before every snapshot to come.
        closed: closed ?? (version.until === undefined ? undefined : 0),
      }),
    );
    const last = rows.reduce((max, { id, closed = 0 }) => Math.max(max, id, closed), 0);
    await this.#inventory.load((connection) => insertVersions(connection, rows), last);
  }
}
