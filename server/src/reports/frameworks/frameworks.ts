import { readdir, readFile } from 'node:fs/promises';
import { type Check, readChecks } from './checks.ts';
import type { Framework, FrameworkContent, FrameworkHead } from './framework.ts';
import { FrameworkFile, fileOf } from './framework-file.ts';

/** Errors in the frameworks, one line each, with file and line. */
export class FrameworkError extends Error {
  override readonly name = 'FrameworkError';

  constructor(problems: readonly string[]) {
    super(`The frameworks can not be used:\n${problems.join('\n')}`);
  }
}

interface Index {
  readonly files: ReadonlyMap<string, FrameworkFile>;
  readonly checks: ReadonlyMap<string, Check>;
  readonly heads: readonly FrameworkHead[];
}

const folder = 'packs/frameworks/';

/**
 * The frameworks of this release. Nothing is read before the first use; then the names of all, and the content of a
 * framework when it is asked for.
 */
export class Frameworks {
  readonly #place: URL;
  #index: Promise<Index> | undefined;
  readonly #contents = new Map<string, FrameworkContent>();

  constructor(packs: URL) {
    this.#place = new URL('frameworks/', packs);
  }

  /** Sorted by report type. */
  async heads(): Promise<readonly FrameworkHead[]> {
    return (await this.#read()).heads;
  }

  async checks(): Promise<ReadonlyMap<string, Check>> {
    return (await this.#read()).checks;
  }

  /** The framework of a report type, with the content of another one if it is an alias. */
  byReportType(reportType: string): Promise<Framework | undefined> {
    return this.#find((head) => head.reportType === reportType);
  }

  byTitle(title: string): Promise<Framework | undefined> {
    return this.#find((head) => head.title === title);
  }

  /** Reads all frameworks and reports all errors together. */
  async all(): Promise<readonly Framework[]> {
    const index = await this.#read();
    const problems: string[] = [];
    const all: (Framework | undefined)[] = [];
    for (const head of index.heads) all.push(await this.#withContent(head, index, problems));
    if (problems.length > 0) throw new FrameworkError([...new Set(problems)]);
    return all.filter((framework) => framework !== undefined);
  }

  async #find(is: (head: FrameworkHead) => boolean): Promise<Framework | undefined> {
    const index = await this.#read();
    const head = index.heads.find(is);
    if (!head) return undefined;
    const problems: string[] = [];
    const framework = await this.#withContent(head, index, problems);
    if (problems.length > 0) throw new FrameworkError(problems);
    return framework;
  }

  async #withContent(
    head: FrameworkHead,
    { files, checks }: Index,
    problems: string[],
  ): Promise<Framework | undefined> {
    const source = head.sameAs ?? head.reportType;
    let content = this.#contents.get(source);
    if (!content) {
      const text = await readFile(new URL(fileOf(source), this.#place), 'utf8');
      content = files.get(source)?.content(text, checks, problems);
      if (content) this.#contents.set(source, content);
    }
    return content && { ...head, ...content };
  }

  /** A failure is not kept: the files may be readable again. */
  #read(): Promise<Index> {
    this.#index ??= readIndex(this.#place).catch((error) => {
      this.#index = undefined;
      throw error;
    });
    return this.#index;
  }
}

async function readIndex(place: URL): Promise<Index> {
  const problems: string[] = [];
  const names = (await readdir(place)).filter((name) => name.endsWith('.yaml')).sort();
  const checks = readChecks(
    `${folder}checks.tsv`,
    await readFile(new URL('checks.tsv', place), 'utf8'),
    problems,
  );
  const read = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, place), 'utf8');
      try {
        return new FrameworkFile(folder, name, text);
      } catch (error) {
        return error as Error;
      }
    }),
  );
  const valid = read.filter((file) => file instanceof FrameworkFile);
  const files = new Map(valid.map((file) => [file.head.reportType, file]));
  problems.push(...read.filter((file) => file instanceof Error).map(({ message }) => message));
  problems.push(...problemsBetween(files, new Set(names)));
  if (problems.length > 0) throw new FrameworkError(problems);
  return { files, checks, heads: headsOf(files) };
}

/** Requests name a framework by its report type or by its title, so both are unique. */
function problemsBetween(files: ReadonlyMap<string, FrameworkFile>, names: ReadonlySet<string>): string[] {
  const titles = new Map<string, string>();
  const problems: Error[] = [];
  for (const file of files.values()) {
    const { reportType, title } = file.head;
    const owner = titles.get(title);
    if (owner) problems.push(file.problem('title', `title is already that of ${owner}.`));
    titles.set(title, reportType);
    const { sameAs } = file;
    if (sameAs === undefined) continue;
    const target = files.get(sameAs);
    // An invalid file is already reported.
    if (!target && names.has(fileOf(sameAs))) continue;
    if (!target) problems.push(file.problem('sameAs', `sameAs is ${sameAs}, which does not exist.`));
    else if (!target.cloud)
      problems.push(file.problem('sameAs', `sameAs is ${sameAs}, which is an alias itself.`));
  }
  return problems.map(({ message }) => message);
}

function headsOf(files: ReadonlyMap<string, FrameworkFile>): FrameworkHead[] {
  return [...files.values()].flatMap(({ head: { reportType, title }, cloud: own, sameAs }) => {
    const cloud = own ?? files.get(sameAs ?? '')?.cloud;
    return cloud ? [{ reportType, title, cloud, ...(sameAs !== undefined && { sameAs }) }] : [];
  });
}
