import { batchHour } from '../batch-columns.ts';
import type { TelemetryDataset } from '../dataset.ts';
import { container, createdTime, mid } from '../members.ts';

export const packages: TelemetryDataset = {
  path: 'Entities/Packages',
  description: 'Packages that are installed on hosts.',
  members: {
    ...createdTime,
    ...mid,
    packageName: { type: 'string', description: 'Name of the package.' },
    version: { type: 'string', description: 'Version that is installed.' },
    arch: { type: 'string', description: 'Architecture: amd64, noarch.' },
    ...container,
    versionFormat: { type: 'string', description: 'How versions are compared: dpkg, rpm.', optional: true },
    namespace: { type: 'string', description: 'Distribution of the package: ubuntu:22.04.', optional: true },
    sourceFile: { type: 'string', description: 'File that declares the package.', optional: true },
    active: { type: 'string', description: 'Whether a running process uses it.', optional: true },
    caa: { type: 'string', description: 'Value of the column CAA, as reported.', optional: true },
  },
  range: { by: 'instant', member: 'createdTime' },
  identity: ['mid', 'packageName', 'version', 'arch'],
  search: { isPaged: true },
  datasources: [
    {
      name: 'LW_HE_PACKAGES',
      columns: {
        ...batchHour('createdTime'),
        RECORD_CREATED_TIME: 'createdTime',
        MID: 'mid',
        IS_IN_CONTAINER: 'isInContainer',
        CONTAINER_KEY: 'containerKey',
        PACKAGE_NAME: 'packageName',
        PACKAGE_ARCH: 'arch',
        PACKAGE_VERSION: 'version',
        VERSION_FORMAT: 'versionFormat',
        NAMESPACE: 'namespace',
        SOURCE_FILE: 'sourceFile',
        ACTIVE: 'active',
        CAA: 'caa',
      },
      time: ['RECORD_CREATED_TIME'],
    },
  ],
};
