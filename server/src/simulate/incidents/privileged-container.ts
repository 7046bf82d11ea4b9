import { containers } from '../../telemetry/datasets/Containers.ts';
import { images } from '../../telemetry/datasets/Images.ts';
import { k8sPods } from '../../telemetry/datasets/K8sPods.ts';
import { k8sAudit } from '../../telemetry/datasets/LW_ACT_K8S_AUDIT.ts';
import { machineOf } from '../company/company.ts';
import { image } from '../company/image.ts';
import { isoTimestamp } from '../hour.ts';
import { containerRecord } from '../streams/containers.ts';
import { imageRecord } from '../streams/images.ts';
import { administrators, clusterEvent } from '../streams/kubernetes-audit.ts';
import { podRecord } from '../streams/pods.ts';
import type { Incident } from './incident.ts';

const tools = image('docker.io/library/alpine:3.20', ['/bin/sh', 'root', 0, 4444, 'default']);

export const privilegedContainer: Incident = {
  name: 'privileged container',
  generate({ company, hour, instant, random }) {
    const machine = machineOf(company, 'node', random);
    const container = {
      ...{ id: random.hex(64), name: 'debug', podName: `debug-${random.hex(5)}`, image: tools },
      ...{ address: machine.address, startedAt: instant, isPrivileged: true },
    };
    const person = random.pick(company.people);
    const request = {
      ...{ verb: 'create', username: person.email, groups: administrators, userAgent: 'kubectl/v1.30.2' },
      ...{ address: person.address, code: 201 },
      object: { resource: 'pods', namespace: 'default', name: container.podName, subresource: 'exec' },
      more: {
        command: 'chroot /host sh',
        cloudUser: `arn:aws:iam::${company.cloud.accountId}:user/${person.login}`,
      },
    };
    return [
      [containers, { ...hour.window, ...containerRecord(container, machine.mid, machine.tags) }],
      [images, { createdTime: isoTimestamp(instant), ...imageRecord(tools, machine.mid, 1) }],
      [k8sPods, { ...hour.window, ...podRecord(container, machine.mid) }],
      [k8sAudit, clusterEvent(company, request, instant, random)],
    ];
  },
};
