import { k8sPods } from '../../telemetry/datasets/K8sPods.ts';
import type { Container } from '../company/container.ts';
import { hourly } from '../stream.ts';
import { propertiesOf } from './containers.ts';

export function podRecord(container: Container, mid: number) {
  return {
    mid,
    podName: container.podName,
    primaryIpAddr: container.address,
    propsContainer: propertiesOf(container),
  };
}

export const podStream = hourly(k8sPods, ({ containers, mid }, { window }) =>
  containers
    .filter(({ podName }) => podName !== undefined)
    .map((container) => ({ ...window, ...podRecord(container, mid) })),
);
