import { createHash } from 'node:crypto';
import { images as dataset } from '../../telemetry/datasets/Images.ts';
import type { Image } from '../company/image.ts';
import { isoTimestamp } from '../hour.ts';
import { snapshots } from '../stream.ts';

export function imageRecord({ id, repo, tag, size, createdAt }: Image, mid: number, activeCount: number) {
  return {
    mid,
    imageId: id,
    repo,
    tag,
    imageVersion: '25.0.3',
    author: repo.split('/').at(-2),
    digest: `sha256:${createHash('sha256').update(id).digest('hex')}`,
    size,
    virtualSize: size,
    containerType: 'DOCKER',
    imageCreatedTime: isoTimestamp(createdAt),
    activeCount,
  };
}

export const imageStream = snapshots(dataset, ({ mid, containers }) => {
  const used = new Set(containers.map((container) => container.image));
  return [...used].map((image) =>
    imageRecord(image, mid, containers.filter((container) => container.image === image).length),
  );
});
