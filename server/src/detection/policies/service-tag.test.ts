import { expect, test } from 'vitest';
import { serviceOfTags } from './service-tag.ts';

test('the service of a policy is what the first tag with the prefix names', () => {
  expect(serviceOfTags(['domain:AWS', 'service:s3', 'service:iam'])).toBe('s3');
  expect(serviceOfTags(['domain:AWS', 'my-service:s3'])).toBeUndefined();
  expect(serviceOfTags([])).toBeUndefined();
});
