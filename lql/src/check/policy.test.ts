import { describe, expect, test } from 'vitest';
import { analyse } from '../analyse.ts';
import { sampleCatalogue } from '../catalogue/catalogue.sample.ts';
import { report } from '../text/report.ts';
import { policyProblems } from './policy.ts';

function said(text: string): string {
  const { document, query, problems } = analyse(text, sampleCatalogue);
  if (!document || !query) throw new Error(report(text, problems));
  return report(text, policyProblems(document, query));
}

describe('a query accepted for a policy', () => {
  test.each([
    ['of one datasource', '{ source { LW_HE_USERS } return { MID, USERNAME } }'],
    [
      'of what it leads to one of',
      '{ source { LW_HE_FILES f with LW_HE_MACHINES m } return { f.PATH, m.HOSTNAME, lower(m.OS) as OS } }',
    ],
    [
      'of a chain of ones',
      '{ source { LW_HA_FILE_CHANGES c with LW_HE_FILES f with LW_HE_MACHINES m } return { c.PATH, m.* } }',
    ],
    [
      'that filters by several, and returns what there is one of',
      "{ source { LW_HE_MACHINES m with LW_HE_PROCESSES p } filter { p.EXE_PATH = 'x' } return distinct { m.MID, m.HOSTNAME } }",
    ],
    [
      'that filters by items',
      "{ source { LW_CFG_AWS_LAMBDA a, array_to_rows(a.RESOURCE_CONFIG:Layers) as (l) } filter { l:Arn = 'x' } return distinct { ARN, 'r' as REASON } }",
    ],
    [
      'that returns one thing beside several',
      '{ source { LW_HE_PROCESSES p with LW_HE_MACHINES m with LW_HE_FILES f } filter { f.SIZE > 1 } return distinct { p.PID, m.HOSTNAME } }',
    ],
    [
      'that asks another',
      '{ source { CloudTrailRawEvents } filter { INSERT_ID in { source { LW_HE_USERS } return { MID } } } return { EVENT } }',
    ],
    [
      'that takes the events of a log apart',
      '{ source { CloudTrailRawEvents e, array_to_rows(EVENT:items) i } filter { i:a = 1 } return distinct { INSERT_ID } }',
    ],
  ])('%s', (_, text) => {
    expect(said(text)).toBe('');
  });
});

describe('a query rejected for a policy', () => {
  test.each([
    [
      'that is not distinct, though there are several',
      "{ source { LW_HE_MACHINES m with LW_HE_PROCESSES p } filter { p.EXE_PATH = 'x' }\nreturn { m.MID } }",
      [
        'Line 2, column 10, at m.MID: p can give several rows for one row of m: a policy must use `return distinct`.',
      ],
    ],
    [
      'that returns what there are several of',
      '{ source { LW_HE_MACHINES m with LW_HE_PROCESSES p with LW_HE_USERS u }\nreturn distinct { m.MID, lower(p.EXE_PATH) as X, u.HOME_DIR } }',
      [
        'Line 2, column 26, at lower(p.EXE_PATH) as X: This value comes from p, which can give several rows for one row of m: a policy can filter by it, but not return it.',
        'Line 2, column 50, at u.HOME_DIR: This value comes from u, which can give several rows for one row of m: a policy can filter by it, but not return it.',
      ],
    ],
    [
      'that returns items',
      '{ source { LW_CFG_AWS_LAMBDA, array_to_rows(RESOURCE_CONFIG:Layers) as (l) }\nreturn distinct { ARN, case when l:a = 1 then 1 end as A, l } }',
      [
        'Line 2, column 24, at case when l:a = 1 then 1 end as A: This value comes from l, which can give several rows for one row of LW_CFG_AWS_LAMBDA: a policy can filter by it, but not return it.',
        'Line 2, column 59, at l: This value comes from l, which can give several rows for one row of LW_CFG_AWS_LAMBDA: a policy can filter by it, but not return it.',
      ],
    ],
    [
      'that returns all of what there are several of',
      '{ source { LW_HE_MACHINES m with LW_HE_FILES f }\nreturn distinct { f.* } }',
      [
        'Line 2, column 19, at f.*: This value comes from f, which can give several rows for one row of m: a policy can filter by it, but not return it.',
      ],
    ],
    [
      'that joins the log of an activity',
      '{ source { CloudTrailRawEvents e,\nLW_HE_USERS u } filter { u.USERNAME = e.EVENT_NAME } return distinct { EVENT } }',
      [
        'Line 2, column 1, at LW_HE_USERS u: A policy on an activity log can not read other datasources: remove this one.',
      ],
    ],
    [
      'in any block of a union, whatever the order of its columns',
      'union { { source { LW_HE_MACHINES m } return { MID, HOSTNAME } },\n{ source { LW_HE_MACHINES m with LW_HE_FILES f } return distinct { f.PATH as HOSTNAME, m.MID } } }',
      [
        'Line 2, column 68, at f.PATH as HOSTNAME: This value comes from f, which can give several rows for one row of m: a policy can filter by it, but not return it.',
      ],
    ],
  ])('%s', (_, text, expected) => {
    expect(said(text).split('\n')).toEqual(expected);
  });
});
