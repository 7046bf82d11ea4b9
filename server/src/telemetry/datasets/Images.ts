import { batchHour } from '../batch-columns.ts';
import type { TelemetryDataset } from '../dataset.ts';
import { createdTime, mid } from '../members.ts';

export const images: TelemetryDataset = {
  path: 'Entities/Images',
  description: 'Container images on hosts.',
  members: {
    ...createdTime,
    ...mid,
    imageId: { type: 'string', description: 'Id of the image: sha256 and its digest.' },
    repo: { type: 'string', description: 'Repository, with its registry.' },
    tag: { type: 'string', description: 'Tag, or a digest.' },
    size: { type: 'integer', description: 'Bytes.' },
    containerType: { type: 'string', description: 'Container runtime: DOCKER.' },
    imageCreatedTime: { type: 'time', description: 'When the image was created.', optional: true },
    author: { type: 'string', description: 'Author of the image.', optional: true },
    virtualSize: { type: 'integer', description: 'Bytes including shared layers.', optional: true },
    imageVersion: { type: 'string', description: 'Version of the image.', optional: true },
    activeCount: { type: 'integer', description: 'Containers that run it.', optional: true },
    digest: { type: 'string', description: 'Digest in the registry.', optional: true },
  },
  range: { by: 'instant', member: 'createdTime' },
  identity: ['mid', 'imageId'],
  search: { isPaged: true },
  datasources: [
    {
      name: 'LW_HE_IMAGES',
      columns: {
        ...batchHour('createdTime'),
        RECORD_CREATED_TIME: 'createdTime',
        IMAGE_CREATED_TIME: 'imageCreatedTime',
        MID: 'mid',
        IMAGE_ID: 'imageId',
        CONTAINER_TYPE: 'containerType',
        AUTHOR: 'author',
        REPO: 'repo',
        TAG: 'tag',
        SIZE: 'size',
        VIRTUAL_SIZE: 'virtualSize',
        IMAGE_VERSION: 'imageVersion',
        ACTIVE_COUNT: 'activeCount',
        DIGEST: 'digest',
      },
      time: ['RECORD_CREATED_TIME'],
    },
  ],
};
