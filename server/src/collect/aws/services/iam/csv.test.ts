import { describe, expect, test } from 'vitest';
import { csvRows } from './csv.ts';

describe('rows of a CSV file', () => {
  test('have the names of the first line, and may have quotes and commas', () => {
    expect(csvRows('user,arn,mfa_active\nann,arn:a,true\r\n"bo,b","arn:""b""",\n')).toEqual([
      { user: 'ann', arn: 'arn:a', mfa_active: 'true' },
      { user: 'bo,b', arn: 'arn:"b"', mfa_active: '' },
    ]);
    expect(csvRows('')).toEqual([]);
    expect(csvRows('a,b\n1')).toEqual([{ a: '1', b: '' }]);
  });
});
