import { defineAzureService } from '../service.ts';

const osProfile = ['osProfile.adminPassword', 'osProfile.customData', 'userData'];

export default defineAzureService({
  name: 'Compute',
  namespace: 'Microsoft.Compute',
  types: [
    { type: 'Microsoft.Compute/virtualMachines', redact: osProfile },
    // Settings are whatever the extension takes, scripts among them.
    {
      type: 'Microsoft.Compute/virtualMachines/extensions',
      redact: ['settings.*', 'protectedSettings'],
    },
    {
      type: 'Microsoft.Compute/virtualMachines/runCommands',
      redact: ['source.script', 'parameters.*.value', 'protectedParameters'],
    },
    {
      type: 'Microsoft.Compute/virtualMachineScaleSets',
      redact: [
        ...osProfile.map((path) => `virtualMachineProfile.${path}`),
        'virtualMachineProfile.extensionProfile.extensions.*.properties.settings.*',
        'virtualMachineProfile.extensionProfile.extensions.*.properties.protectedSettings',
      ],
    },
    {
      type: 'Microsoft.Compute/virtualMachineScaleSets/virtualMachines',
      table: 'computeresources',
      redact: osProfile,
    },
    { type: 'Microsoft.Compute/disks' },
    { type: 'Microsoft.Compute/diskAccesses' },
    { type: 'Microsoft.Compute/diskEncryptionSets' },
    { type: 'Microsoft.Compute/snapshots' },
    { type: 'Microsoft.Compute/images' },
    { type: 'Microsoft.Compute/galleries' },
    { type: 'Microsoft.Compute/galleries/images' },
    { type: 'Microsoft.Compute/galleries/images/versions' },
    { type: 'Microsoft.Compute/availabilitySets' },
    { type: 'Microsoft.Compute/sshPublicKeys' },
    { type: 'Microsoft.Compute/cloudServices', redact: ['configuration', 'osProfile.secrets.*'] },
  ],
});
