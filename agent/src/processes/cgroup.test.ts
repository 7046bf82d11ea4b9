import { expect, test } from 'vitest';
import { containerIdOf } from './cgroup.ts';

const [outer, inner] = ['a'.repeat(64), '0123456789abcdef'.repeat(4)];

test.each([
  `12:pids:/docker/${inner}\n0::/system.slice`,
  `0::/system.slice/docker-${inner}.scope\n`,
  `0::/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1.slice/cri-containerd-${inner}.scope`,
  `0::/kubepods/besteffort/pod1/${inner}`,
  `0::/machine.slice/libpod-${inner}.scope/container`,
  `0::/docker/${outer}/docker/${inner}`,
])('the container of %s', (cgroup) => {
  expect(containerIdOf(cgroup)).toBe(inner);
});

test.each([
  '0::/user.slice/user-0.slice/session-1.scope',
  `0::/${'a'.repeat(63)}`,
  `0::/${'a'.repeat(65)}`,
  '',
])('%s is in no container', (cgroup) => {
  expect(containerIdOf(cgroup)).toBeUndefined();
});
