import type { TSchema } from 'typebox';

export interface RuleFilters {
  readonly name: string;
  readonly description?: string;
  readonly enabled: 0 | 1;
  readonly severity?: readonly number[];
  readonly resourceGroups?: readonly string[];
  readonly subCategory?: readonly string[];
  readonly eventCategory?: readonly string[];
  readonly category?: readonly string[];
  readonly source?: readonly string[];
  readonly profileVersions?: readonly string[];
}

export type ReportTypes = Readonly<Record<string, boolean>>;

/** What a person decided in a rule. */
export interface Rule {
  readonly filters: RuleFilters;
  readonly intgGuidList: readonly string[];
  readonly reportNotificationTypes?: ReportTypes;
}

/** Members as a client sends them: clients write null where they have nothing to say. */
type Given<Members> = { readonly [Name in keyof Members]?: Members[Name] | null | undefined };
export type GivenFilters = Given<RuleFilters>;
export type GivenRule = Given<Omit<Rule, 'filters'> & { filters: GivenFilters }>;

/** One kind of rule: everything that the three families need to know of it. */
export interface RuleKind {
  readonly family: 'AlertRules' | 'ReportRules' | 'DataExportRules';
  /** The value of `type`. */
  readonly type: string;
  /** The members of `filters` beside its name. */
  readonly members: Readonly<Record<string, TSchema>>;
  /** What a new rule has in `filters` when its maker leaves it out. */
  readonly defaults: Partial<RuleFilters>;
  /** Form of `reportNotificationTypes`, in the kind that has them. */
  readonly reportTypes?: TSchema;
  /** Makes members that mean the same say the same. */
  unify?(given: Partial<RuleFilters>, present: Partial<RuleFilters>): Partial<RuleFilters>;
  /** What is checked beyond the schema; returns the complaint. */
  check?(rule: Rule): string | undefined;
}
