import type { IntegrationData } from '../../../integrations/declaration.ts';
import type { Channel, External } from '../../channel.ts';
import { DeliveryError } from '../../channel.ts';
import { JsonSite } from '../../json-site.ts';
import jiraIssues, { type JiraIssue, jiraComment } from './message.ts';

const isBidirectional = (data: IntegrationData) => data.bidirectionalConfig === 'Bidirectional';
const isCloud = (data: IntegrationData) => data.jiraType === 'JIRA_CLOUD';

const channel: Channel = {
  followsClosing: isBidirectional,
  async send(sending) {
    const { message, data, earlier } = sending;
    const isClosed = message.occasion === 'closed';
    // The setting may have changed since the message was enqueued.
    if (isClosed && !isBidirectional(data)) return earlier;
    const site = new JsonSite(sending, {
      to: 'Jira',
      address: 'jiraUrl',
      user: String(data.username),
      password: isCloud(data) ? 'apiToken' : 'password',
    });
    if (isClosed) {
      for (const key of keysIn(earlier)) await comment(site, key, jiraComment(message));
      return earlier;
    }
    // Joined entities are added as a comment; with grouping by resource, a new resource gets its own issue.
    if (message.occasion === 'updated' && earlier && data.issueGrouping !== 'Resources') {
      for (const key of keysIn(earlier)) await comment(site, key, jiraComment(message));
      return earlier;
    }
    const keys = [];
    for (const issue of jiraIssues(message, data)) keys.push(await openIssue(site, issue, isCloud(data)));
    return externalOf(site, keys);
  },
};

/** Issues are opened once: a retry, or a resource with an open issue, uses the existing one. */
async function openIssue(site: JsonSite, issue: JiraIssue, cloud: boolean): Promise<string> {
  const open = await find(site, issue, cloud);
  if (open === undefined) {
    return keyOf(await site.write('POST', '/rest/api/2/issue', { fields: issue.fields }));
  }
  if (issue.comment !== undefined) await comment(site, open, issue.comment);
  return open;
}

async function find(site: JsonSite, issue: JiraIssue, cloud: boolean): Promise<string | undefined> {
  const stillOpen = issue.comment === undefined ? '' : ' AND statusCategory != Done';
  const { issues } = await site.get(`/rest/api/2/search${cloud ? '/jql' : ''}`, {
    jql: `labels = "${issue.label}"${stillOpen} ORDER BY created DESC`,
    fields: 'summary',
    maxResults: '1',
  });
  const [first] = Array.isArray(issues) ? issues : [];
  return first === undefined ? undefined : keyOf(first);
}

async function comment(site: JsonSite, key: string, body: string): Promise<void> {
  await site.write('POST', `/rest/api/2/issue/${encodeURIComponent(key)}/comment`, { body });
}

/** Validates the reply, because the server may not be Jira. */
const keyPattern = /^[^\s,]{1,255}$/;

function keyOf({ key }: Readonly<Record<string, unknown>>): string {
  if (typeof key !== 'string' || !keyPattern.test(key))
    throw new DeliveryError('Jira answered without the key of an issue.');
  return key;
}

function keysIn(external: External | undefined): readonly string[] {
  return external ? external.id.split(',') : [];
}

function externalOf({ base }: JsonSite, keys: readonly string[]): External {
  const [first = ''] = keys;
  const jql = `key in (${keys.join(',')})`;
  return {
    id: keys.join(','),
    link:
      keys.length === 1
        ? `${base}/browse/${encodeURIComponent(first)}`
        : `${base}/issues/?${new URLSearchParams({ jql })}`,
  };
}

export default channel;
