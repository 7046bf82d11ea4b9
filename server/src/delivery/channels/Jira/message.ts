import type { AlertMessage } from '../../../alerts/alert-message.ts';
import type { IntegrationData } from '../../../integrations/declaration.ts';
import { cut } from '../../bounded-string.ts';
import { templateFields } from '../../custom-template.ts';
import { groupKey } from '../../group-key.ts';
import { groups, type Resource } from '../../issue-grouping.ts';
import { plainText } from '../../plain-text.ts';
import { headline, resourceHeadline } from '../../wording.ts';

/** What is opened for an alert, or for one of its resources. */
export interface JiraIssue {
  /** By which it is found again. */
  readonly label: string;
  /** What is said on an issue about the same resource that is still open; a repeat of an alert says nothing. */
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
        summary: cut(title, 250),
        description: markup(plainText(message, resource)),
        ...added,
        labels: ['vedette', label, ...(Array.isArray(labels) ? labels : [])],
      },
    };
  });
}

export function jiraComment(message: AlertMessage, resource?: Resource): string {
  return markup(`${cut(headline(message), 250)}\n\n${plainText(message, resource)}`);
}

/** Names of resources are no markup: they make no links, images or mentions. */
function markup(text: string): string {
  return text.replace(/[\\{}[\]!|]/g, '\\$&');
}
