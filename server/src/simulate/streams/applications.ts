import { applications } from '../../telemetry/datasets/Applications.ts';
import type { Machine } from '../company/machine.ts';
import type { Process } from '../company/process.ts';
import type { Hour } from '../hour.ts';
import type { Random } from '../random.ts';
import { hourly } from '../stream.ts';

export function applicationRecord(machine: Machine, running: Process, hour: Hour, random: Random) {
  const { hostname, address, role, tags, bootAt } = machine;
  const [received, sent] = [random.below(5_000_000), random.below(9_000_000)];
  const { container } = running;
  return {
    mid: machine.mid,
    appName: running.name,
    exePath: running.path,
    username: { effective: running.user, original: running.user },
    propsMachine: {
      hostname,
      ip_addr: address,
      mem_kbytes: role.memoryKilobytes,
      num_users: machine.people.length,
      primary_tags: ['Name', 'Env'],
      up_time: Math.floor((hour.start - bootAt) / 1_000),
      tags,
    },
    ...(container?.podName && {
      containerInfo: {
        image_repo: container.image.repo,
        image_tag: container.image.tag,
        k8s_cluster: tags.KubernetesCluster ?? '',
        pod_name: container.podName,
        pod_namespace: container.image.namespace,
        pod_ip_addr: container.address,
        pod_type: container.name,
        vm_type: 'DOCKER',
      },
    }),
    netStats:
      running.port === undefined
        ? {}
        : { num_in_bytes: received, num_out_bytes: sent, num_total_bytes: received + sent },
    props: {},
  };
}

/** Processes that listen on a port are applications; others belong to the system. */
export const applicationStream = hourly(applications, function* (machine, hour, random) {
  for (const running of machine.processes)
    if (running.port !== undefined)
      yield { ...hour.window, ...applicationRecord(machine, running, hour, random) };
});
