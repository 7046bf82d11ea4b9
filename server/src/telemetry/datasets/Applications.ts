import type { InnerMember, TelemetryDataset } from '../dataset.ts';
import { machineTags, mid, window } from '../members.ts';

const tagsOfMachine: Record<string, InnerMember> = Object.fromEntries(
  Object.entries(machineTags).map(([name, tag]) => [`tags.${name}`, tag]),
);

export const applications: TelemetryDataset = {
  path: 'Entities/Applications',
  description: 'Applications that ran on hosts, by the hour.',
  members: {
    ...window,
    ...mid,
    appName: { type: 'string', description: 'Name of the application.' },
    exePath: { type: 'string', description: 'Program that runs.' },
    username: {
      type: 'json',
      description: 'Users that it runs as.',
      inner: {
        effective: { type: 'string', description: 'Effective user.' },
        original: { type: 'string', description: 'User that started it.' },
      },
    },
    propsMachine: {
      type: 'json',
      description: 'Properties of the host.',
      inner: {
        hostname: { type: 'string', description: 'Name of the host.' },
        ip_addr: { type: 'string', description: 'Its address.' },
        mem_kbytes: { type: 'integer', description: 'Its memory, in kilobytes.' },
        num_users: { type: 'integer', description: 'Users logged in.' },
        primary_tags: { type: 'json', description: 'Its main tags.' },
        up_time: { type: 'integer', description: 'Seconds since it was started.' },
        ...tagsOfMachine,
      },
    },
    containerInfo: {
      type: 'json',
      description: 'Container that it runs in.',
      optional: true,
      inner: {
        image_repo: { type: 'string', description: 'Repository of the image.' },
        image_tag: { type: 'string', description: 'Tag of the image.' },
        k8s_cluster: { type: 'string', description: 'Kubernetes cluster.' },
        pod_ip_addr: { type: 'string', description: 'Address of the pod.' },
        pod_name: { type: 'string', description: 'Name of the pod.' },
        pod_namespace: { type: 'string', description: 'Namespace of the pod.' },
        pod_type: { type: 'string', description: 'Type of the pod.' },
        vmType: { type: 'string', description: 'Type of the virtual machine.' },
        vm_type: { type: 'string', description: 'The same member, under the name that other reporters use.' },
      },
    },
    netStats: {
      type: 'json',
      description: 'Bytes that it received and sent.',
      inner: {
        num_in_bytes: { type: 'integer', description: 'Bytes received.' },
        num_out_bytes: { type: 'integer', description: 'Bytes sent.' },
        num_total_bytes: { type: 'integer', description: 'Both together.' },
        num_in_client_bytes: { type: 'integer', description: 'Bytes received as a client.' },
        num_out_server_bytes: { type: 'integer', description: 'Bytes sent as a server.' },
        num_bytes_internal_client: { type: 'integer', description: 'Bytes as a client within the network.' },
        num_bytes_external_server: { type: 'integer', description: 'Bytes as a server to the outside.' },
      },
    },
    props: { type: 'json', description: 'Further properties.' },
  },
  range: { by: 'overlap' },
  identity: ['mid', 'appName', 'exePath', 'username', 'startTime'],
  search: { isPaged: true, historyDays: 90 },
  datasources: [],
};
