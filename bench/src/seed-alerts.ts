import { DatabaseSync } from '@photostructure/sqlite';

const severities = ['Critical', 'High', 'Medium', 'Low', 'Info'];

/** Inserts alerts into the store of a running server, spread evenly from a timestamp until now. */
export function seedAlerts(file: string, count: number, now: number, from: number): void {
  const database = new DatabaseSync(file);
  const { id: owner } = database.prepare('select id from accounts').get() as { id: string };
  const columns = [
    ...[
      'id',
      'owner_id',
      'policy_id',
      'window_start',
      'round',
      'alert_name',
      'alert_type',
      'severity',
      'status',
    ],
    ...[
      'alert_info',
      'alert_spec',
      'derived_fields',
      'reachability',
      'violations',
      'listed',
      'start_at',
      'end_at',
    ],
    ...['is_routed', 'created_at', 'updated_at', 'first_event_at', 'last_event_at', 'entity_map', 'marks'],
  ];
  const insert = database.prepare(
    `insert into alerts (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  );
  const resource = (index: number) => ({
    KEY: { name: 's3:bucket', value: `arn:aws:s3:::bucket-${index}` },
    PROPS: { account_id: '123456789012', region: 'eu-west-1', service: 's3' },
  });
  database.exec('begin');
  for (let id = 1; id <= count; id++) {
    const start = Math.floor(from + ((now - from - 1_000) * id) / count);
    const entities = JSON.stringify({
      Resource: Array.from({ length: id % 8 }, (_, index) => resource(id + index)),
    });
    insert.run(
      ...[
        id,
        owner,
        `lacework-global-${id}`,
        start - (start % 3_600_000),
        0,
        `Bucket ${id} is publicly readable`,
      ],
      ...['NewViolations', severities[id % 5] as string, id % 3 === 0 ? 'Closed' : 'Open'],
      JSON.stringify({
        subject: `bucket-${id} in eu-west-1 is publicly readable`,
        description: 'Its bucket policy or access control list allows public read access.',
        remediation: '1. Enable Block Public Access for the bucket.\n2. Remove the statement or grant.',
      }),
      JSON.stringify({ alertProfile: 'LW_CFG_AWS_DEFAULT_PROFILE', name: 'CFG_AWS_Violation' }),
      JSON.stringify({ category: 'Policy', sub_category: 'Compliance', source: 'AWS' }),
      ...['UnknownReachability', id % 8, id % 8, start, start + 60_000, 0, start, start],
      // Configuration findings have no event times.
      ...(id % 2 === 0 ? [start - 2_000, start - 1_000] : [null, null]),
      ...[entities, '[]'],
    );
  }
  database.exec('commit');
  database.close();
}
