import type { Scope } from '../../identity/scope.ts';
import { Refusal } from '../../platform/errors.ts';
import { type DefinitionContent, mergedContent, noContent } from './content.ts';
import type { DefinitionChange, DefinitionCreation } from './form.ts';
import type { DefinitionRow, VersionRow } from './record.ts';

/** The columns that users set. */
export type DefinitionColumns = Omit<
  VersionRow,
  'id' | 'owner_id' | 'version' | 'update_type' | 'updated_at' | 'updated_by'
>;

export interface DefinitionProps {
  readonly engine?: string;
  readonly releaseLabel?: string;
  readonly resourceGroups?: readonly string[];
  readonly integrations?: readonly string[];
}

export function newColumns(scope: Scope, body: DefinitionCreation): DefinitionColumns {
  return {
    report_name: body.reportName,
    display_name: body.displayName || body.reportName,
    report_type: body.reportType,
    sub_report_type: body.subReportType,
    report_notification_type: body.reportNotificationType || null,
    report_definition: JSON.stringify(mergedContent(scope, noContent, body.reportDefinition)),
    props: JSON.stringify(mergedProps({}, body.props)),
    distribution_type: body.distributionType || null,
    alert_channels: JSON.stringify(body.alertChannels ?? []),
    frequency: body.frequency || null,
    enabled: body.enabled === 0 ? 0 : 1,
  };
}

/** Omitted and null members keep their values; so do empty strings, which clients send for unset ones. */
export function changedColumns(
  scope: Scope,
  row: DefinitionRow,
  body: DefinitionChange,
): Partial<DefinitionColumns> {
  if (body.subReportType && body.subReportType !== row.sub_report_type) {
    throw new Refusal(
      'INVALID_INPUT',
      `subReportType can not change from ${row.sub_report_type}: create another definition instead.`,
    );
  }
  const { reportDefinition, props, alertChannels, enabled } = body;
  return {
    report_name: body.reportName ?? row.report_name,
    // A title that repeats the name follows it.
    display_name:
      body.displayName ||
      (row.display_name === row.report_name ? body.reportName : undefined) ||
      row.display_name,
    report_notification_type: body.reportNotificationType || row.report_notification_type,
    distribution_type: body.distributionType || row.distribution_type,
    frequency: body.frequency || row.frequency,
    ...(reportDefinition && {
      report_definition: JSON.stringify(mergedContent(scope, contentOf(row), reportDefinition)),
    }),
    ...(props && { props: JSON.stringify(mergedProps(propsOf(row), props)) }),
    ...(alertChannels && { alert_channels: JSON.stringify(alertChannels) }),
    ...((enabled === 0 || enabled === 1) && { enabled }),
  };
}

/** The columns of a version, for a new one with the same content. */
export function columnsOf(row: VersionRow): DefinitionColumns {
  const { id, owner_id, version, update_type, updated_at, updated_by, ...columns } = row;
  return columns;
}

export function contentOf({ report_definition }: Pick<VersionRow, 'report_definition'>): DefinitionContent {
  return JSON.parse(report_definition);
}

export function propsOf({ props }: Pick<VersionRow, 'props'>): DefinitionProps {
  return JSON.parse(props);
}

function mergedProps(present: DefinitionProps, given: DefinitionChange['props']): DefinitionProps {
  const { engine, releaseLabel, resourceGroups, integrations } = given ?? {};
  return {
    ...present,
    ...(engine && { engine }),
    ...(releaseLabel && { releaseLabel }),
    ...(resourceGroups && { resourceGroups }),
    ...(integrations && { integrations }),
  };
}
