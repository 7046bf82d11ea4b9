import type { AlertMessage, Severity } from '../../../alerts/alert-message.ts';
import type { IntegrationData } from '../../../integrations/declaration.ts';
import { truncate } from '../../bounded-string.ts';
import { templateFields } from '../../custom-template.ts';
import { groupKey } from '../../group-key.ts';
import { groups, type Resource } from '../../issue-grouping.ts';
import { plainText } from '../../plain-text.ts';
import { headline, resourceHeadline } from '../../wording.ts';

/** The incident for an alert, or for one of its resources. */
export interface Incident {
  /** Work note for an active incident about the same resource; undefined if the alert has its own incident. */
  readonly note: string | undefined;
  readonly fields: Readonly<Record<string, unknown>> & { readonly correlation_id: string };
}

/** ServiceNow derives the priority from these two. */
const priorities: Readonly<Record<Severity, { readonly impact: string; readonly urgency: string }>> = {
  Critical: { impact: '1', urgency: '1' },
  High: { impact: '2', urgency: '1' },
  Medium: { impact: '2', urgency: '2' },
  Low: { impact: '3', urgency: '2' },
  Info: { impact: '3', urgency: '3' },
};

export default function incidents(message: AlertMessage, data: IntegrationData): readonly Incident[] {
  return groups(message, data.issueGrouping).map((resource) => {
    const title = resource ? resourceHeadline(message, resource) : headline(message);
    return {
      note: resource && incidentNote(message, resource),
      fields: {
        short_description: truncate(title, 160),
        description: truncate(plainText(message, resource), 4_000),
        ...priorities[message.severity],
        ...templateFields(data.customTemplateFile, message, resource),
        correlation_id: groupKey(message, '', resource),
        correlation_display: 'Vedette',
      },
    };
  });
}

export function incidentNote(message: AlertMessage, resource?: Resource): string {
  return truncate(`${truncate(headline(message), 160)}\n\n${plainText(message, resource)}`, 4_000);
}
