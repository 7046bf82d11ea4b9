import { readdir, readFile } from 'node:fs/promises';
import { readCompiledPack } from './compiled-pack.ts';
import { Numbers } from './numbers.ts';
import { PackError } from './pack-error.ts';
import { type BuiltInPolicy, type ReadPolicy, readPolicy } from './policy.ts';
import { foldersWith, type PolicyFiles, policyFolders } from './policy-folders.ts';
import { type BuiltInQuery, type ReadQueryFolder, readQueryFolder } from './query.ts';
import { shippedPacks } from './shipped-packs.ts';

export { shippedPacks };

/** The built-in policies and queries of every account; they only change with a release. */
export class Pack {
  static #shipped: Promise<Pack> | undefined;
  /** Sorted by number. */
  readonly policies: readonly BuiltInPolicy[];
  readonly queries: readonly BuiltInQuery[];
  readonly #policies: ReadonlyMap<string, BuiltInPolicy>;
  readonly #queries: ReadonlyMap<string, BuiltInQuery>;

  private constructor(policies: readonly BuiltInPolicy[], queries: readonly BuiltInQuery[]) {
    this.policies = policies;
    this.queries = queries;
    this.#policies = new Map(policies.map((policy) => [policy.id, policy]));
    this.#queries = new Map(queries.map((query) => [query.id, query]));
  }

  /** The shipped packs once per process, from what the build made of their files if these are unchanged. */
  static load(root: URL): Promise<Pack> {
    if (root.href !== shippedPacks().href) return Pack.read(root);
    Pack.#shipped ??= Pack.#loadCompiled(root);
    return Pack.#shipped;
  }

  static async #loadCompiled(root: URL): Promise<Pack> {
    const compiled = readCompiledPack(root);
    return compiled ? new Pack(compiled.policies, compiled.queries) : Pack.read(root);
  }

  /** Reads all folders concurrently and reports all errors together. */
  static async read(root: URL): Promise<Pack> {
    const place = new URL('policies/', root);
    const problems: Error[] = [];
    const note = (problem: Error) => {
      problems.push(problem);
      return undefined;
    };

    const files = new Set(await readdir(place, { recursive: true }).catch(() => []));
    const numbers = await readNumbers(place).catch(note);
    const found = (await policyFolders(place, files).catch(note)) ?? [];
    const byFolder = new Map(found.map((policy) => [policy.folder, policy]));
    if (numbers) problems.push(...numbers.errorsAgainst(new Set(byFolder.keys())));
    // A folder with two numbers is already reported; reading it twice would add follow-up errors.
    const folders = new Map(numbers?.folders.map(([number, folder]) => [folder, number]));
    const results = await Promise.all(
      [...folders].flatMap(([folder, number]) => {
        const policy = byFolder.get(folder);
        return policy ? [readFolder(policy, number).catch((error: Error) => error)] : [];
      }),
    );
    problems.push(...results.filter((result) => result instanceof Error));
    const read = results.filter((result): result is ReadPolicy => !(result instanceof Error));
    const standalone = await readQueries(new URL('queries/', root), problems);
    problems.push(...sharedQueries(read, standalone));
    if (problems.length > 0) throw new PackError(problems.map(({ message }) => message));
    return new Pack(
      read.map(({ policy }) => policy),
      [...read, ...standalone].map(({ query }) => query).filter((query) => query !== undefined),
    );
  }

  policy(id: string): BuiltInPolicy | undefined {
    return this.#policies.get(id);
  }

  query(id: string): BuiltInQuery | undefined {
    return this.#queries.get(id);
  }
}

async function readNumbers(place: URL): Promise<Numbers> {
  return new Numbers('packs/policies/numbers.yaml', await readFile(new URL('numbers.yaml', place), 'utf8'));
}

async function readFolder({ folder, place, read }: PolicyFiles, number: number): Promise<ReadPolicy> {
  const [policyText = '', queryText, scopeText] = await Promise.all([
    read('policy.yaml'),
    read('query.lql'),
    read('scope.lql'),
  ]);
  return readPolicy({ number, folder, place, policyText, queryText, scopeText });
}

/** Standalone queries: those named in documentation and examples of clients. */
async function readQueries(place: URL, problems: Error[]): Promise<ReadQueryFolder[]> {
  const files = new Set(await readdir(place, { recursive: true }).catch(() => []));
  const textOf = (file: string) => readFile(new URL(file, place), 'utf8');
  const results = await Promise.all(
    foldersWith('query.yaml', files).map(async (folder) => {
      const lql = `${folder}/query.lql`;
      const [queryYaml, queryText] = await Promise.all([
        textOf(`${folder}/query.yaml`),
        files.has(lql) ? textOf(lql) : undefined,
      ]);
      try {
        return readQueryFolder({ folder, queryYaml, queryText });
      } catch (error) {
        return error as Error;
      }
    }),
  );
  problems.push(...results.filter((result) => result instanceof Error));
  return results.filter((result): result is ReadQueryFolder => !(result instanceof Error));
}

/** A query belongs to at most one policy, so that a change for one does not affect another. */
function sharedQueries(read: readonly ReadPolicy[], standalone: readonly ReadQueryFolder[]): Error[] {
  const owners = new Map<string, string>();
  const shared = read.flatMap(({ policy, query, file }) => {
    const owner = query && owners.get(query.id);
    if (query && !owner) owners.set(query.id, policy.id);
    return owner ? [file.problem(['query'], `query is ${query.id}, which ${owner} already uses.`)] : [];
  });
  const taken = standalone.flatMap(({ query, file }) => {
    const owner = owners.get(query.id);
    return owner ? [file.problem([], `${query.id} already belongs to ${owner}: delete one of the two.`)] : [];
  });
  return [...shared, ...taken];
}
