import { describe, expect, test } from 'vitest';
import { analyse } from '../analyse.ts';
import { sampleCatalogue } from '../catalogue/catalogue.sample.ts';
import { report } from '../text/report.ts';
import { policyProblems } from './policy.ts';

function policyReport(text: string): string {
  const { document, query, problems } = analyse(text, sampleCatalogue);
  if (!document || !query) throw new Error(report(text, problems));
  return report(text, policyProblems(document, query));
}

describe('a query accepted for a policy', () => {
  test.each([
    ['of one datasource', '{ source { LW_HE_USERS } return { MID, USERNAME } }'],
    [
      'that returns columns of a datasource joined with cardinality ONE',
      '{ source { LW_HE_FILES f with LW_HE_MACHINES m } return { f.PATH, m.HOSTNAME, lower(m.OS) as OS } }',
    ],
    [
      'that returns columns across a chain of joins with cardinality ONE',
      '{ source { LW_HA_FILE_CHANGES c with LW_HE_FILES f with LW_HE_MACHINES m } return { c.PATH, m.* } }',
    ],
    [
      'that filters by a datasource joined with cardinality MANY without returning it',
      "{ source { LW_HE_MACHINES m with LW_HE_PROCESSES p } filter { p.EXE_PATH = 'x' } return distinct { m.MID, m.HOSTNAME } }",
    ],
    [
      'that filters by array items',
      "{ source { LW_CFG_AWS_LAMBDA a, array_to_rows(a.RESOURCE_CONFIG:Layers) as (l) } filter { l:Arn = 'x' } return distinct { ARN, 'r' as REASON } }",
    ],
    [
      'that returns a datasource with cardinality ONE next to one with cardinality MANY',
      '{ source { LW_HE_PROCESSES p with LW_HE_MACHINES m with LW_HE_FILES f } filter { f.SIZE > 1 } return distinct { p.PID, m.HOSTNAME } }',
    ],
    [
      'with a subquery',
      '{ source { CloudTrailRawEvents } filter { INSERT_ID in { source { LW_HE_USERS } return { MID } } } return { EVENT } }',
    ],
    [
      'that expands the events of an activity log',
      '{ source { CloudTrailRawEvents e, array_to_rows(EVENT:items) i } filter { i:a = 1 } return distinct { INSERT_ID } }',
    ],
  ])('%s', (_, text) => {
    expect(policyReport(text)).toBe('');
  });
});

describe('a query rejected for a policy', () => {
  test.each([
    [
      'without distinct, on a datasource joined with cardinality MANY',
      "{ source { LW_HE_MACHINES m with LW_HE_PROCESSES p } filter { p.EXE_PATH = 'x' }\nreturn { m.MID } }",
      [
        'Line 2, column 10, at m.MID: p can give several rows for one row of m: a policy must use `return distinct`.',
      ],
    ],
    [
      'that returns columns of a datasource joined with cardinality MANY',
      '{ source { LW_HE_MACHINES m with LW_HE_PROCESSES p with LW_HE_USERS u }\nreturn distinct { m.MID, lower(p.EXE_PATH) as X, u.HOME_DIR } }',
      [
        'Line 2, column 26, at lower(p.EXE_PATH) as X: This value comes from p, which can give several rows for one row of m: a policy can filter by it, but not return it.',
        'Line 2, column 50, at u.HOME_DIR: This value comes from u, which can give several rows for one row of m: a policy can filter by it, but not return it.',
      ],
    ],
    [
      'that returns array items',
      '{ source { LW_CFG_AWS_LAMBDA, array_to_rows(RESOURCE_CONFIG:Layers) as (l) }\nreturn distinct { ARN, case when l:a = 1 then 1 end as A, l } }',
      [
        'Line 2, column 24, at case when l:a = 1 then 1 end as A: This value comes from l, which can give several rows for one row of LW_CFG_AWS_LAMBDA: a policy can filter by it, but not return it.',
        'Line 2, column 59, at l: This value comes from l, which can give several rows for one row of LW_CFG_AWS_LAMBDA: a policy can filter by it, but not return it.',
      ],
    ],
    [
      'that returns all columns of a datasource joined with cardinality MANY',
      '{ source { LW_HE_MACHINES m with LW_HE_FILES f }\nreturn distinct { f.* } }',
      [
        'Line 2, column 19, at f.*: This value comes from f, which can give several rows for one row of m: a policy can filter by it, but not return it.',
      ],
    ],
    [
      'that joins an activity log with another datasource',
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
    expect(policyReport(text).split('\n')).toEqual(expected);
  });
});
