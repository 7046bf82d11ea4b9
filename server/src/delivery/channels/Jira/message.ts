import type { AlertMessage } from '../../../alerts/alert-message.ts';
import type { IntegrationData } from '../../../integrations/declaration.ts';
import { truncate } from '../../bounded-string.ts';
import { templateFields } from '../../custom-template.ts';
import { groupKey } from '../../group-key.ts';
import { groups, type Resource } from '../../issue-grouping.ts';
import { plainText } from '../../plain-text.ts';
import { headline, resourceHeadline } from '../../wording.ts';

/** The issue for an alert, or for one of its resources. */
export interface JiraIssue {
  /** Label to find the issue again. */
  readonly label: string;
  /** Comment for an open issue about the same resource; undefined if the alert has its own issue. */
  readonly comment: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

export default function jiraIssues(message: AlertMessage, data: IntegrationData): readonly JiraIssue[] {
  return groups(message, data.issueGrouping).map((resource) => {
    const label = groupKey(message, String(data.projectId), resource);
    const { labels, ...added } = templateFields(data.customTemplateFile, message, resource);
    const title = resource ? resourceHeadline(message, resource) : headline(message);
    return {
      label,
      comment: resource && jiraComment(message, resource),
      fields: {
        project: { key: data.projectId },
        issuetype: { name: data.issueType },
        summary: truncate(title, 250),
        description: markup(plainText(message, resource)),
        ...added,
        labels: ['vedette', label, ...(Array.isArray(labels) ? labels : [])],
      },
    };
  });
}

export function jiraComment(message: AlertMessage, resource?: Resource): string {
  return markup(`${truncate(headline(message), 250)}\n\n${plainText(message, resource)}`);
}

/** Escapes untrusted names, so that they create no links, images or mentions. */
function markup(text: string): string {
  return text.replace(/[\\{}[\]!|]/g, '\\$&');
}
