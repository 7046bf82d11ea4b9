import { createHash } from 'node:crypto';
import type { Pack } from '../../detection/packs/pack.ts';
import { version } from '../../platform/version.ts';
import type { Framework, FrameworkHead, FrameworkSection } from '../frameworks/framework.ts';
import type { Frameworks } from '../frameworks/frameworks.ts';
import { PoliciesByCheck } from '../frameworks/policies-by-check.ts';
import type { DefinitionSection } from './content.ts';
import { builtInAuthor, type DefinitionRecord } from './record.ts';

const language = 'lql';

/** The frameworks of this release as report definitions. They are the same in every account. */
export class BuiltInDefinitions {
  readonly #frameworks: Frameworks;
  readonly #pack: Pack;
  readonly #byCheck: PoliciesByCheck;
  /** When the newest policy of the release was changed, for frameworks without policies. */
  readonly #released: string;
  readonly #records = new Map<string, DefinitionRecord>();
  #byGuid: ReadonlyMap<string, FrameworkHead> | undefined;

  constructor({ frameworks, pack }: { frameworks: Frameworks; pack: Pack }) {
    this.#frameworks = frameworks;
    this.#pack = pack;
    this.#byCheck = new PoliciesByCheck(pack);
    this.#released = newest(pack.policies.map(({ changedTime }) => changedTime));
  }

  /** Sorted by report type. Frameworks are read from files the first time, each with a pause for other requests. */
  async list(): Promise<DefinitionRecord[]> {
    const records: DefinitionRecord[] = [];
    for (const { reportType } of await this.#frameworks.heads()) records.push(await this.#record(reportType));
    return records;
  }

  async find(guid: string): Promise<DefinitionRecord | undefined> {
    const head = await this.frameworkOf(guid);
    return head && this.#record(head.reportType);
  }

  async frameworkOf(guid: string): Promise<FrameworkHead | undefined> {
    const heads = await this.#frameworks.heads();
    this.#byGuid ??= new Map(heads.map((head) => [builtInGuid(head.reportType), head]));
    return this.#byGuid.get(guid);
  }

  async hasTitle(title: string): Promise<boolean> {
    return (await this.#frameworks.heads()).some((head) => head.title === title);
  }

  async #record(reportType: string): Promise<DefinitionRecord> {
    const present = this.#records.get(reportType);
    if (present) return present;
    const record = this.#recordOf((await this.#frameworks.byReportType(reportType)) as Framework);
    this.#records.set(reportType, record);
    return record;
  }

  #recordOf({ reportType, title, cloud, sections }: Framework): DefinitionRecord {
    const chosen = sections.map((section) => this.#sectionOf(section));
    const ids = new Set(chosen.flatMap(({ policies }) => policies));
    const changes = this.#pack.policies.filter(({ id }) => ids.has(id));
    return {
      reportDefinitionGuid: builtInGuid(reportType),
      reportName: title,
      displayName: title,
      reportType: 'COMPLIANCE',
      subReportType: cloud,
      reportDefinition: {
        sections: chosen.map((section) => ({ ...section, policies: [...section.policies] })),
        overrides: [],
      },
      props: { engine: language, releaseLabel: version },
      alertChannels: [],
      version: 1,
      createdBy: builtInAuthor,
      createdTime: newest(changes.map(({ changedTime }) => changedTime)) || this.#released,
      enabled: 1,
      reportNotificationType: reportType,
    };
  }

  /** Only checks that this release implements; a policy once, even if several controls need it. */
  #sectionOf({ id, title, controls }: FrameworkSection): DefinitionSection {
    const checks = controls.flatMap((control) => control.checks);
    const policies = checks.flatMap((check) => this.#byCheck.find(check).map((policy) => policy.id));
    return { category: id, title, policies: [...new Set(policies)] };
  }
}

/** Stable over releases, in the form of all identifiers: a prefix and 47 upper-case alphanumerics. */
export function builtInGuid(reportType: string): string {
  const digest = BigInt(`0x${createHash('sha256').update(reportType).digest('hex')}`);
  return `${builtInAuthor}_${digest.toString(36).toUpperCase().padStart(47, '0').slice(-47)}`;
}

function newest(times: readonly string[]): string {
  return [...times].sort().at(-1) ?? '';
}
