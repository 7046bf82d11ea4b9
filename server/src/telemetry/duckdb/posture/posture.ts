import type { DuckDBConnection } from '@duckdb/node-api';
import { FairQueue } from '../../../platform/fair-queue.ts';
import type {
  DuePolicy,
  PolicyEvaluation,
  ViolationChanges,
  ViolationChangesSince,
} from '../../evaluation.ts';
import type { FindingsQuery } from '../../posture-findings.ts';
import type { EvaluatedTo } from '../../store.ts';
import type { Engine } from '../engine/engine.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { evaluatedPoliciesTable } from '../inventory/posture-tables.ts';
import { DuckTables } from '../query/tables.ts';
import { refuseTooLarge } from '../read/reader.ts';
import type { Segments } from '../segments/segments.ts';
import type { EvaluationBatch } from './batch.ts';
import { endPolicy } from './ended-policy.ts';
import { evaluateBatch } from './evaluation-batch.ts';
import { extentsOf, type PolicyExtent } from './extent.ts';
import { readFindings } from './findings-reader.ts';
import { type LastNumbers, lastNumbers } from './last-numbers.ts';
import { violationChanges } from './violation-changes.ts';

export interface PostureDeps {
  readonly engine: Engine;
  readonly segments: Segments;
  readonly inventory: Inventory;
  readonly statements: FairQueue;
}

/** Evaluations of cloud resources, stored as intervals beside the inventory. */
export class Posture {
  readonly #deps: PostureDeps;
  /** One writer at a time, fair between accounts. */
  readonly #writers = new FairQueue({ noun: 'evaluation', concurrency: 1 });
  /** The last id and revision, once they were read. */
  #last: LastNumbers | undefined;
  readonly #positions = new Map<string, Map<string, EvaluatedTo>>();

  constructor(deps: PostureDeps) {
    this.#deps = deps;
  }

  /** The last revision. */
  async lastRevision(): Promise<number> {
    const { engine, inventory } = this.#deps;
    if (!inventory.exists) return 0;
    this.#last ??= await engine.use(lastNumbers);
    return this.#last.revision;
  }

  /** What the last evaluation of each policy covers. */
  async positions(account: string): Promise<ReadonlyMap<string, EvaluatedTo>> {
    const { engine, inventory } = this.#deps;
    if (!inventory.exists) return new Map();
    const known = this.#positions.get(account);
    if (known) return known;
    const rows = await engine.use((connection) =>
      connection.runAndReadAll(
        `select policy, covers, revision from ${evaluatedPoliciesTable} where account = $account`,
        { account },
      ),
    );
    const positions = new Map(
      rows
        .getRows()
        .map(([policy, position, revision]) => [
          String(policy),
          { position: Number(position), revision: Number(revision) },
        ]),
    );
    this.#positions.set(account, positions);
    return positions;
  }

  /** Forgets what is known of a deleted account. */
  forget(account: string): void {
    this.#positions.delete(account);
  }

  /** A page of the violations that began or ended after a revision. */
  violationChanges(account: string, since: ViolationChangesSince): Promise<ViolationChanges> {
    const { engine, statements } = this.#deps;
    return statements.run(account, () =>
      engine.use((connection) => violationChanges(connection, account, since)),
    );
  }

  /** The evaluations of one cloud account as JSON: the form is `PostureFindings`. */
  async findings(query: FindingsQuery, signal: AbortSignal): Promise<string | undefined> {
    const { engine, statements, inventory } = this.#deps;
    if (!inventory.exists) return undefined;
    const read = (connection: DuckDBConnection) => readFindings(connection, query);
    return statements.run(query.account, () => engine.use(read, signal), signal).catch(refuseTooLarge);
  }

  /** Ends the evaluations of a deleted policy, up to that time. */
  async end(account: string, policy: string, at: number): Promise<void> {
    const { engine, inventory, statements } = this.#deps;
    if (!inventory.exists) return;
    const end = async (connection: DuckDBConnection) => {
      const last = this.#last ?? (await lastNumbers(connection));
      const revision = last.revision + 1;
      await connection.run('begin');
      await endPolicy(connection, { account, policy, at, revision });
      await connection.run('commit');
      this.#last = { ...last, revision };
    };
    await this.#writers.run(account, () => statements.run(account, () => engine.use(end)));
    this.#positions.get(account)?.delete(policy);
  }

  /** Evaluates policies together; durable when it resolves. Fails with the signal's reason when it aborts. */
  async evaluate(
    account: string,
    policies: readonly DuePolicy[],
    at: number,
    signal: AbortSignal,
  ): Promise<readonly PolicyEvaluation[]> {
    const { engine, inventory, statements } = this.#deps;
    if (!inventory.exists) return [];
    // Changes that arrive meanwhile may be seen; they are then evaluated again.
    const position = inventory.lastNumber;
    const evaluate = async (connection: DuckDBConnection) => {
      const extents = await extentsOf(connection, account, policies);
      const results: PolicyEvaluation[] = [];
      for (const some of inTransactions(extents))
        results.push(...(await this.#evaluate(connection, { account, at, position, policies: some })));
      return results;
    };
    const results = await this.#writers.run(
      account,
      () => statements.run(account, () => engine.use(evaluate, signal), signal),
      signal,
    );
    await inventory.shortenLog();
    return results;
  }

  async #evaluate(
    connection: DuckDBConnection,
    batch: Omit<EvaluationBatch, 'revision' | 'lastId'>,
  ): Promise<readonly PolicyEvaluation[]> {
    const { segments, inventory } = this.#deps;
    await connection.run('begin');
    const last = this.#last ?? (await lastNumbers(connection));
    const revision = last.revision + 1;
    const numbered = { ...batch, revision, lastId: last.id };
    const { results, lastId } = await evaluateBatch(
      connection,
      new DuckTables(segments, inventory),
      numbered,
    );
    await connection.run('commit');
    this.#last = { id: lastId, revision };
    for (const { policyId, position } of results)
      this.#positions.get(batch.account)?.set(policyId, { position, revision });
    return results;
  }
}

/** What changed comes first: its evaluations are then new before the many others have been read. */
function inTransactions(extents: readonly PolicyExtent[]): (readonly PolicyExtent[])[] {
  const isChanged = ({ extent }: PolicyExtent) => extent === 'changed';
  const parts = [extents.filter(isChanged), extents.filter((one) => !isChanged(one))];
  return parts.filter((some) => some.length > 0);
}
