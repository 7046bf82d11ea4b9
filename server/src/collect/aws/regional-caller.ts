import type { AwsCaller } from './service.ts';

/** Makes calls in any region, or answers them from a file. */
export interface RegionalCaller extends AwsCaller {
  /** The same service in another region. */
  in(region: string): RegionalCaller;
}
