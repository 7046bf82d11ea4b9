/**
 * Settings of Google's own software in instance metadata. The values of all other keys are stored by name only: start-up
 * scripts, user data and the keys of users' own programs often hold credentials.
 */
export const instanceSettings: readonly string[] = [
  'block-project-ssh-keys',
  'cluster-location',
  'cluster-name',
  'cluster-uid',
  'created-by',
  'disable-agent-updates',
  'disable-legacy-endpoints',
  'disable-https-mds-setup',
  'enable-guest-attributes',
  'enable-os-inventory',
  'enable-osconfig',
  'enable-oslogin',
  'enable-oslogin-2fa',
  'enable-oslogin-certificates',
  'enable-oslogin-sk',
  'google-compute-enable-virtio-rng',
  'google-logging-enabled',
  'google-logging-enable',
  'google-monitoring-enable',
  'google-monitoring-enabled',
  'instance-template',
  'serial-port-enable',
  'serial-port-logging-enable',
  'VmDnsSetting',
];

/** The metadata at a path of a configuration. */
export function instanceMetadata(path: string) {
  return { path, keep: instanceSettings };
}
