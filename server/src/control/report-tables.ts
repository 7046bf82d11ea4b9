import type { Flag, Instant } from './columns.ts';

/** One version of a custom report definition. */
interface DefinitionVersion {
  /** Of the definition. */
  id: string;
  owner_id: string;
  version: number;
  report_name: string;
  display_name: string;
  report_type: string;
  /** The cloud. */
  sub_report_type: string;
  report_notification_type: string | null;
  /** JSON: the sections with their policies, and the overridden titles. */
  report_definition: string;
  /** JSON. */
  props: string;
  distribution_type: string | null;
  /** JSON. */
  alert_channels: string;
  frequency: string | null;
  enabled: Flag;
  update_type: string;
  updated_at: Instant;
  updated_by: string;
}

/** What users define for their reports. */
export interface ReportTables {
  /** The newest version of each custom definition. */
  report_definitions: DefinitionVersion & { created_at: Instant; created_by: string };
  /** The earlier versions. */
  report_definition_versions: DefinitionVersion;
  report_distributions: {
    id: string;
    owner_id: string;
    /** A definition, built-in or custom. */
    report_definition_guid: string;
    distribution_name: string;
    /** JSON. */
    alert_channels: string;
    frequency: string;
    /** JSON: what the report is about. */
    data: string;
    updated_at: Instant;
    updated_by: string;
  };
}
