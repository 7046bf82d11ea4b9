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

/** The settings of a rule. */
export interface Rule {
  readonly filters: RuleFilters;
  readonly intgGuidList: readonly string[];
  readonly reportNotificationTypes?: ReportTypes;
}

/** Members in a request: clients send null for unset members. */
type Given<Members> = { readonly [Name in keyof Members]?: Members[Name] | null | undefined };
export type GivenFilters = Given<RuleFilters>;
export type RuleBody = Given<Omit<Rule, 'filters'> & { filters: GivenFilters }>;

/** The declaration of a kind of rule, from which routes and schemas are derived. */
export interface RuleKind {
  readonly family: 'AlertRules' | 'ReportRules' | 'DataExportRules';
  /** The value of `type`. */
  readonly type: string;
  /** The members of `filters` besides the name. */
  readonly members: Readonly<Record<string, TSchema>>;
  /** Default values of `filters` for new rules. */
  readonly defaults: Partial<RuleFilters>;
  /** Schema of `reportNotificationTypes`, for report rules. */
  readonly reportTypes?: TSchema;
  /** Gives members with the same meaning the same value. */
  unify?(given: Partial<RuleFilters>, present: Partial<RuleFilters>): Partial<RuleFilters>;
  /** Members of responses that follow from the settings, with their schemas. */
  readonly derived?: {
    readonly members: Readonly<Record<string, TSchema>>;
    of(rule: Rule): Readonly<Record<string, unknown>>;
  };
  /** Checks that the schema cannot express; returns an error message. */
  check?(rule: Rule): string | undefined;
}
