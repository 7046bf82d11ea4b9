import { type Static, Type } from 'typebox';
import type { Problem } from '../../platform/explanation.ts';
import { Validator } from '../../platform/validator.ts';
import { YamlFile } from '../../platform/yaml-file.ts';
import type { ReportCloud } from '../compliance/report.ts';
import type { Check } from './checks.ts';
import type { FrameworkContent, FrameworkSection } from './framework.ts';

const reportType = Type.String({
  pattern: '^[A-Za-z0-9_.:-]+$',
  maxLength: 100,
  description: 'Write the name by which requests know it.',
});
const title = Type.String({ minLength: 1, maxLength: 100 });
const id = Type.String({ pattern: '^\\S+$', maxLength: 50, description: 'Write a number without spaces.' });

const AliasFile = Type.Object({ reportType, title, sameAs: reportType }, { additionalProperties: false });

const head = {
  ...{ reportType, title },
  cloud: Type.Enum(['AWS', 'Azure', 'GCP', 'K8s']),
  kind: Type.Enum(['benchmark', 'standard']),
};
const HeadFile = Type.Object(head, { additionalProperties: false });

const control = Type.Object(
  {
    id,
    assessment: Type.Optional(Type.Enum(['manual'])),
    checks: Type.Array(Type.String({ pattern: '^[a-z0-9_]+$', description: 'Write a key of checks.tsv.' }), {
      uniqueItems: true,
    }),
  },
  { additionalProperties: false },
);
const section = Type.Object(
  { id, title, controls: Type.Array(control, { minItems: 1 }) },
  { additionalProperties: false },
);
const ContentFile = Type.Object(
  { ...head, sections: Type.Array(section, { minItems: 1 }) },
  { additionalProperties: false },
);
type ContentFile = Static<typeof ContentFile>;

const forms = { alias: new Validator(AliasFile, 'file'), head: new Validator(HeadFile, 'file') };
const form = new Validator(ContentFile, 'file');

type ReadHead = Static<typeof AliasFile> | Static<typeof HeadFile>;

/** A file of `packs/frameworks/`. Its head is read alone: the content is a hundred times as large. */
export class FrameworkFile {
  readonly head: ReadHead;
  readonly #name: string;
  readonly #file: YamlFile;

  constructor(folder: string, file: string, text: string) {
    this.#name = `${folder}${file}`;
    const end = text.search(/^sections:/m);
    this.#file = new YamlFile(this.#name, end < 0 ? text : text.slice(0, end));
    this.#file.check(end < 0 ? forms.alias : forms.head);
    this.head = this.#file.value as ReadHead;
    const expected = fileOf(this.head.reportType);
    if (file !== expected) throw this.problem('reportType', `The file must be named ${expected}.`);
  }

  get sameAs(): string | undefined {
    return 'sameAs' in this.head ? this.head.sameAs : undefined;
  }

  get cloud(): ReportCloud | undefined {
    return 'cloud' in this.head ? this.head.cloud : undefined;
  }

  problem(member: 'reportType' | 'title' | 'sameAs', message: string): Error {
    return this.#file.problem([member], message);
  }

  /** The content of a framework that is not an alias; `problems` gets a line for each invalid member. */
  content(
    text: string,
    checks: ReadonlyMap<string, Check>,
    problems: string[],
  ): FrameworkContent | undefined {
    const file = new YamlFile(this.#name, text);
    const invalid = form.problems(file.value);
    const content = file.value as ContentFile;
    const found = invalid.length > 0 ? invalid : contentProblems(content, checks);
    problems.push(...found.map(({ path, message }) => file.problem(path, message).message));
    return found.length > 0 ? undefined : { kind: content.kind, sections: content.sections.map(sectionOf) };
  }
}

function sectionOf({ id, title, controls }: ContentFile['sections'][number]): FrameworkSection {
  return {
    ...{ id, title },
    controls: controls.map(({ id, assessment, checks }) => ({
      ...{ id, checks },
      isManual: assessment === 'manual',
    })),
  };
}

/** The name of the file of a report type: some have a colon, which some file systems refuse. */
export const fileOf = (reportType: string) => `${reportType.replaceAll(':', '_')}.yaml`;

function contentProblems(
  { cloud, sections }: ContentFile,
  checks: ReadonlyMap<string, Check>,
): Pick<Problem, 'path' | 'message'>[] {
  const problems: Pick<Problem, 'path' | 'message'>[] = [];
  const add = (path: readonly string[], message: string) => problems.push({ path, message });
  const [ids, controlIds] = [new Set<string>(), new Set<string>()];
  for (const [at, section] of sections.entries()) {
    const place = ['sections', `${at}`];
    if (ids.has(section.id)) add([...place, 'id'], `The section ${section.id} exists twice.`);
    ids.add(section.id);
    for (const [index, { id, checks: keys }] of section.controls.entries()) {
      const path = [...place, 'controls', `${index}`];
      if (controlIds.has(id)) add([...path, 'id'], `The control ${id} exists twice.`);
      controlIds.add(id);
      for (const [order, key] of keys.entries()) {
        const check = checks.get(key);
        if (check?.cloud === cloud) continue;
        const problem = check ? `is a check of ${check.cloud}, not of ${cloud}` : 'is not in checks.tsv';
        add([...path, 'checks', `${order}`], `${key} ${problem}.`);
      }
    }
  }
  return problems;
}
