import { describe, expect, test } from 'vitest';
import { cloudTrailRawEvents } from '../../telemetry/datasets/CloudTrailRawEvents.ts';
import { processes } from '../../telemetry/datasets/Processes.ts';
import { readCases } from './cases.ts';
import { shippedPacks } from './pack.ts';
import { RecordTemplates } from './record-templates.ts';

const templates = new RecordTemplates(shippedPacks());
const read = (text: string) => readCases('packs/policies/a/b/c/cases.yaml', text, templates);

const file = `given:
  CloudTrailRawEvents: { eventName: StopLogging, userIdentity: { userName: null } }
cases:
  - name: it stops
    records:
      CloudTrailRawEvents: [{}, { eventName: DeleteTrail, errorCode: Denied }]
      Entities/Processes: [{ username: root }]
    alerts: [{ EVENT: { eventName: StopLogging } }]
  - name: it goes on
    records:
      CloudTrailRawEvents:
        - eventName: StartLogging
    alerts: none
`;

describe('a case file', () => {
  test('completes each record from its template', () => {
    const [first, second] = read(file);
    expect([first?.name, first?.alerts, second?.alerts]).toEqual([
      'it stops',
      [{ EVENT: { eventName: 'StopLogging' } }],
      'none',
    ]);
    const events = first?.records.get(cloudTrailRawEvents) ?? [];
    expect(events).toMatchObject([
      { eventID: 'event-1', eventName: 'StopLogging', awsRegion: 'eu-central-1' },
      { eventID: 'event-2', eventName: 'DeleteTrail', errorCode: 'Denied' },
    ]);
    expect(events[0]).not.toHaveProperty('userIdentity.userName');
    expect(events[0]).toHaveProperty('userIdentity.type', 'IAMUser');
    expect(first?.records.get(processes)).toMatchObject([{ pid: 3, username: 'root' }]);
  });

  test.each([
    ['alerts: none', 'alerts: some', "13: cases[1].alerts must be one of none, all, not 'some'."],
    [
      'alerts: none',
      'alerts: none\n    alert: none',
      '14: cases[1].alert is not a known member: correct or remove it.',
    ],
    ['name: it goes on', 'name: it stops', '9: cases[1].name is already used by an earlier case.'],
    ['  - name: it goes on\n    records', '  - records', '9: cases[1].name is required: add it to the file.'],
    ['Entities/Processes', 'Processes', '7: Processes is not a dataset: use one of docs/datasets.md.'],
    [
      'given:\n  Cloud',
      'given:\n  Clod',
      '2: ClodTrailRawEvents is not a dataset: use one of docs/datasets.md.',
    ],
    ['username: root', 'username: 7', '7: records[0].username must be a string, not 7.'],
    [
      'eventName: StartLogging',
      'eventName: null',
      '12: records[0].eventName is required: add it to the record.',
    ],
    ['[{ username: root }]', '[]', '7: cases[0].records.Entities/Processes must not be empty.'],
    [/cases:[\s\S]*/, 'cases: []', '3: cases must not be empty.'],
  ])('is rejected with the line if %s becomes %s', (pattern, text, message) => {
    expect(() => read(file.replace(pattern, text))).toThrow(`packs/policies/a/b/c/cases.yaml:${message}`);
  });
});
