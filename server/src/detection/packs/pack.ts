import { readdir, readFile } from 'node:fs/promises';
import { Numbers } from './numbers.ts';
import { PackError } from './pack-error.ts';
import { type BuiltInPolicy, type BuiltInQuery, type ReadPolicy, readPolicy } from './policy.ts';

/** The packs that ship with this server: beside `server/`, in the repository as in the image. */
export const shippedPacks = (): URL => new URL('../../../../packs/', import.meta.url);

/** The policies and queries that every account has from the start; nobody changes them but a new version. */
export class Pack {
  /** By number. */
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

  /** Reads all folders at the same time and reports all that is wrong at once. */
  static async load(root: URL): Promise<Pack> {
    const place = new URL('policies/', root);
    const problems: Error[] = [];
    const note = (problem: Error) => {
      problems.push(problem);
      return undefined;
    };

    const files = new Set(await readdir(place, { recursive: true }).catch(() => []));
    const numbers = await readNumbers(place).catch(note);
    if (numbers) problems.push(...numbers.disagreementsWith(foldersAmong(files)));
    // A folder with two numbers is a problem already; reading it twice would add others.
    const folders = new Map(numbers?.folders.map(([number, folder]) => [folder, number]));
    const results = await Promise.all(
      [...folders]
        .filter(([folder]) => files.has(`${folder}/policy.yaml`))
        .map(([folder, number]) => readFolder(place, files, number, folder).catch((error: Error) => error)),
    );
    problems.push(...results.filter((result) => result instanceof Error));
    const read = results.filter((result): result is ReadPolicy => !(result instanceof Error));
    problems.push(...sharedQueries(read));
    if (problems.length > 0) throw new PackError(problems.map(({ message }) => message));
    return new Pack(
      read.map(({ policy }) => policy),
      read.map(({ query }) => query).filter((query) => query !== undefined),
    );
  }

  policy(id: string): BuiltInPolicy | undefined {
    return this.#policies.get(id);
  }

  query(id: string): BuiltInQuery | undefined {
    return this.#queries.get(id);
  }
}

function foldersAmong(files: ReadonlySet<string>): Set<string> {
  const suffix = '/policy.yaml';
  return new Set(
    [...files].filter((file) => file.endsWith(suffix)).map((file) => file.slice(0, -suffix.length)),
  );
}

async function readNumbers(place: URL): Promise<Numbers> {
  return new Numbers('packs/policies/numbers.yaml', await readFile(new URL('numbers.yaml', place), 'utf8'));
}

async function readFolder(
  place: URL,
  files: ReadonlySet<string>,
  number: number,
  folder: string,
): Promise<ReadPolicy> {
  const textOf = (file: string) => readFile(new URL(`${folder}/${file}`, place), 'utf8');
  const [policyText, queryText] = await Promise.all([
    textOf('policy.yaml'),
    files.has(`${folder}/query.lql`) ? textOf('query.lql') : undefined,
  ]);
  return readPolicy({ number, folder, policyText, queryText });
}

/** A query belongs to one policy: its id says which. */
function sharedQueries(read: readonly ReadPolicy[]): Error[] {
  const owners = new Map<string, string>();
  return read.flatMap(({ policy, query, file }) => {
    const owner = query && owners.get(query.id);
    if (query && !owner) owners.set(query.id, policy.id);
    return owner ? [file.problem(['query'], `query is ${query.id}, which ${owner} has already.`)] : [];
  });
}
