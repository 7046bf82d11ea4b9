import type { ActivityStream } from './activity-stream.ts';
import { azureStream } from './azure-stream.ts';
import { googleStream } from './google-stream.ts';
import { kubernetesStream } from './kubernetes-stream.ts';
import { trailStream } from './trail-stream.ts';

/** All that cloud activities are made of. */
export const activityStreams: readonly ActivityStream[] = [
  trailStream,
  googleStream,
  azureStream,
  kubernetesStream,
];
