import { type Channel, DeliveryError, type External } from '../../channel.ts';
import { JsonSite } from '../../json-site.ts';
import incidents, { type Incident, incidentNote } from './message.ts';

const table = '/api/now/table/incident';

const channel: Channel = {
  async send(sending) {
    const { message, data, earlier } = sending;
    const site = new JsonSite(sending, {
      to: 'ServiceNow',
      address: 'instanceUrl',
      user: String(data.userName),
      password: 'password',
    });
    const records = [];
    // Joined entities are added as a work note; with grouping by resource, a new resource gets its own incident.
    if (message.occasion === 'updated' && earlier && data.issueGrouping !== 'Resources') {
      await addWorkNote(site, earlier, incidentNote(message));
      return earlier;
    }
    for (const incident of incidents(message, data)) records.push(await openIncident(site, incident));
    return externalOf(site, records);
  },
};

/** Updates by incident number, which users see; a deleted incident is skipped. */
async function addWorkNote(site: JsonSite, { id }: External, work_notes: string): Promise<void> {
  for (const number of id.split(',').filter((value) => /^\w+$/.test(value))) {
    const { result } = await site.get(table, {
      ...{ sysparm_query: `number=${number}`, sysparm_fields: 'sys_id,number', sysparm_limit: '1' },
    });
    const [first] = Array.isArray(result) ? result : [];
    if (first !== undefined) await site.write('PUT', `${table}/${recordIn(first).id}`, { work_notes });
  }
}

interface IncidentRecord {
  readonly id: string;
  readonly number: string;
}

/** Incidents are opened once: a retry, or a resource with an active incident, uses the existing one. */
async function openIncident(site: JsonSite, { note, fields }: Incident): Promise<IncidentRecord> {
  const { result } = await site.get(table, {
    sysparm_query: `correlation_id=${fields.correlation_id}${note === undefined ? '' : '^active=true'}`,
    sysparm_fields: 'sys_id,number',
    sysparm_limit: '1',
  });
  const [first] = Array.isArray(result) ? result : [];
  if (first === undefined) return recordIn((await site.write('POST', table, fields)).result);
  const existing = recordIn(first);
  if (note !== undefined) await site.write('PUT', `${table}/${existing.id}`, { work_notes: note });
  return existing;
}

function recordIn(result: unknown): IncidentRecord {
  const { sys_id, number } = Object(result);
  if (typeof sys_id !== 'string' || !/^[0-9a-f]{32}$/i.test(sys_id))
    throw new DeliveryError('ServiceNow answered without the id of an incident.');
  return { id: sys_id, number: typeof number === 'string' && number.length <= 100 ? number : sys_id };
}

function externalOf({ base }: JsonSite, records: readonly IncidentRecord[]): External {
  const query = `sys_idIN${records.map(({ id }) => id).join(',')}`;
  return {
    id: records.map(({ number }) => number).join(','),
    link:
      records.length === 1
        ? `${base}/incident.do?sys_id=${records[0]?.id}`
        : `${base}/incident_list.do?${new URLSearchParams({ sysparm_query: query })}`,
  };
}

export default channel;
