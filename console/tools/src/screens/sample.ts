import { sampleAlerts, sampleFinding } from '@vedette/server/alerts/alerts.sample';
import type { Entity, Finding } from '@vedette/server/alerts/finding';
import { ManualClock } from '@vedette/server/testing/clock';
import { TestService } from '@vedette/server/testing/service';
import { Front } from './front.ts';

const [minute, hour] = [60_000, 3_600_000];

const entity = (kind: string, key: Entity['key'], props: Entity['props'] = {}): Entity => ({
  kind,
  key,
  props,
});
const violation = (name: string, entities: readonly Entity[]) => ({
  key: name,
  name,
  entities,
  row: { name },
});

/** An age in milliseconds, and what the alert says. */
type Sample = readonly [age: number, Partial<Finding> & Pick<Finding, 'severity' | 'alertName' | 'subject'>];

const miner = violation('xmrig', [
  entity(
    'Machine',
    { mid: 5654024165536062 },
    { hostname: 'web-10.amberwood.example', external_ip: '198.51.100.7' },
  ),
  entity(
    'Process',
    { pid_hash: '9223372036854775807' },
    { cmdline: '/tmp/.x/xmrig -o pool.example:3333', username: 'www-data' },
  ),
]);

export const samples: readonly Sample[] = [
  [
    4 * minute,
    {
      ...{ severity: 'Critical', alertName: 'Crypto-miner running', policyId: 'lacework-global-401' },
      ...{ source: 'Agent', subCategory: 'Host', listed: [miner] },
      subject: 'Crypto-miner running: www-data runs /tmp/.x/xmrig on web-10.amberwood.example',
      description:
        'A program that mines a crypto-currency runs on a host. Attackers start miners on hosts that they can enter, often through a vulnerable web application.',
      remediation:
        '1. Isolate the host.\n2. Find out how the program got there: look at the parent process and at recent logins.\n3. Rebuild the host from a clean image.',
    },
  ],
  [
    26 * minute,
    {
      ...{
        severity: 'Critical',
        alertName: 'CloudTrail coverage reduced',
        source: 'AWS',
        subCategory: 'Cloud Activity',
      },
      subject:
        'CloudTrail coverage reduced: ana stopped trail org-trail in account 123456789012 (eu-central-1) from 198.51.100.7',
    },
  ],
  [
    3 * hour,
    {
      ...{
        severity: 'High',
        alertName: 'System binary changed',
        source: 'Agent',
        subCategory: 'File',
        listed: [miner],
      },
      subject: 'System binary changed: /usr/bin/sudo modified on web-10.amberwood.example',
    },
  ],
  [
    5 * hour,
    {
      ...{
        severity: 'High',
        alertName: 'Container escape',
        source: 'Kubernetes',
        subCategory: 'Kubernetes Activity',
      },
      subject:
        'Container escape: ada ran `chroot /host sh` in pod default/debug-9b256 (cluster amberwood-shop)',
    },
  ],
  [
    9 * hour,
    {
      ...{ severity: 'High', alertName: 'Root user activity', source: 'AWS', subCategory: 'Cloud Activity' },
      subject:
        'Root user activity: the root user signed in to the AWS console without MFA in account 123456789012',
    },
  ],
  [
    26 * hour,
    {
      ...{
        severity: 'Medium',
        alertName: 'IAM access key deleted',
        source: 'AWS',
        subCategory: 'Cloud Activity',
      },
      subject:
        'IAM access key deleted: ana deleted access key AKIAEXAMPLEEXAMPLE02 of IAM user build in account 123456789012',
    },
  ],
  [
    31 * hour,
    {
      ...{ severity: 'Medium', alertName: 'Bucket is public', source: 'AWS', subCategory: 'Compliance' },
      subject: 'Bucket is public: amberwood-invoices allows everyone to read its objects',
    },
  ],
  [
    50 * hour,
    {
      ...{
        severity: 'Medium',
        alertName: 'Anonymous access to the cluster API',
        source: 'Kubernetes',
        subCategory: 'Kubernetes Activity',
      },
      subject:
        'Anonymous access to the cluster API: GET /api/v1/secrets of cluster amberwood-shop from 203.0.113.9',
    },
  ],
  [
    74 * hour,
    {
      ...{ severity: 'Low', alertName: 'Non-root user in group root', source: 'Agent', subCategory: 'User' },
      subject: 'Non-root user in group root: ben on db-2.amberwood.example',
    },
  ],
  [
    98 * hour,
    {
      ...{ severity: 'Info', alertName: 'New autostart entry', source: 'Agent', subCategory: 'Host' },
      subject: 'New autostart entry: /etc/cron.d/backup on db-2.amberwood.example',
    },
  ],
];

/** Text that would do harm if it were interpreted, or break the layout. */
export const hostile = {
  script: '<script>document.title="owned"</script><img src=x onerror=alert(1)>',
  direction: 'invoice\u202Efdp.exe on host \u2066x\u2069',
  long: `path ${'very-long-name/'.repeat(120)}`,
  markdown: '[click](javascript:alert(1)) {{nonce}} %s',
} as const;

/** The real service with sample alerts, and the front before it. */
export class SampleSite {
  readonly service: TestService;
  readonly front: Front;
  readonly #ownerId: string;

  private constructor(service: TestService, front: Front, ownerId: string) {
    this.service = service;
    this.front = front;
    this.#ownerId = ownerId;
  }

  static async start({ prefix = '' }: { readonly prefix?: string } = {}): Promise<SampleSite> {
    const service = await TestService.start({
      VEDETTE_RATE_LIMIT: 'off',
      ...(prefix && { VEDETTE_PUBLIC_URL: `http://localhost${prefix}/` }),
    });
    await service.accounts.create('staging');
    await service.accounts.create('audited');
    const token = await service.token(service.firstKey, 86_400);
    const accounts = [
      { name: 'local', role: 'accountAdmin', isReadOnly: false },
      { name: 'staging', role: 'accountAdmin', isReadOnly: false },
      { name: 'audited', role: 'accountUser', isReadOnly: true },
    ];
    const front = await Front.start({ target: service.url, token, accounts, prefix });
    const owner = service.store.read.selectFrom('accounts').select('id').where('name', '=', 'local');
    return new SampleSite(service, front, (await owner.executeTakeFirstOrThrow()).id);
  }

  /** Raises an alert in the past; returns its id. */
  async raise(age: number, rest: Partial<Finding>): Promise<number> {
    const { store, clock } = this.service;
    const at = clock.now() - age;
    const policyId = `policy-${rest.subject ?? ''}`.slice(0, 60);
    const finding = sampleFinding(this.#ownerId, at, { policyId, ...rest });
    const alerts = sampleAlerts(store, new ManualClock(at));
    return (await store.housekeeping((tx) => alerts.raise(tx, finding))).alertId;
  }

  /** Raises all samples, the oldest first; returns their ids in the order of the list. */
  async raiseSamples(): Promise<number[]> {
    const ids: number[] = [];
    for (const [age, finding] of samples.toReversed()) ids.unshift(await this.raise(age, finding));
    return ids;
  }

  /** Stores records as the evidence of an alert. */
  async addEvidence(alertId: number, records: readonly object[]): Promise<void> {
    const token = await this.service.token();
    const created = await this.service.request('POST', '/api/v2/AgentAccessTokens', {
      token,
      body: { tokenAlias: `evidence ${alertId}`, tokenEnabled: 1 },
    });
    const alert = await this.service.store.read
      .selectFrom('alerts')
      .select('window_start')
      .where('owner_id', '=', this.#ownerId)
      .where('id', '=', alertId)
      .executeTakeFirstOrThrow();
    const iso = (instant: number) => new Date(instant).toISOString();
    const body = records.map((srcEvent) => ({
      ...{ id: alertId, eventType: 'NewViolations', srcType: 'Process', srcEvent, eventCount: 1 },
      ...{ startTime: iso(alert.window_start), endTime: iso(alert.window_start + hour) },
    }));
    const headers = { authorization: created.body.data.accessToken as string };
    const reply = await this.service.request('POST', '/ingest/v1/Events', { body, headers });
    if (reply.status !== 200) throw new Error(reply.text);
  }

  async stop(): Promise<void> {
    await this.front.stop();
    await this.service.stop();
  }
}
