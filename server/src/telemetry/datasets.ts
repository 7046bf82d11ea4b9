import type { TelemetryDataset } from './dataset.ts';
import { agentInfo } from './datasets/AgentInfo.ts';
import { applications } from './datasets/Applications.ts';
import { changedFiles } from './datasets/ChangedFiles.ts';
import { cloudActivities } from './datasets/CloudActivities.ts';
import { cloudTrailRawEvents } from './datasets/CloudTrailRawEvents.ts';
import { commandLines } from './datasets/CommandLines.ts';
import { connections } from './datasets/Connections.ts';
import { containers } from './datasets/Containers.ts';
import { dnss } from './datasets/DNSs.ts';
import { events } from './datasets/Events.ts';
import { files } from './datasets/Files.ts';
import { images } from './datasets/Images.ts';
import { internalIPAddresses } from './datasets/InternalIPAddresses.ts';
import { k8sPods } from './datasets/K8sPods.ts';
import { azureActivity } from './datasets/LW_ACT_AZURE_ACTIVITY.ts';
import { gcpActivity } from './datasets/LW_ACT_GCP_ACTIVITY.ts';
import { k8sAudit } from './datasets/LW_ACT_K8S_AUDIT.ts';
import { singleConnections } from './datasets/LW_HA_CONNECTIONS.ts';
import { syscallsExec } from './datasets/LW_HA_SYSCALLS_EXEC.ts';
import { syscallsFile } from './datasets/LW_HA_SYSCALLS_FILE.ts';
import { windowsRegistry } from './datasets/LW_HA_WIN_REGISTRY.ts';
import { authorizedKeys } from './datasets/LW_HE_ACCESS_SSH_AUTHORIZED_KEYS.ts';
import { secrets } from './datasets/LW_HE_SECRETS_ALL.ts';
import { machineDetails } from './datasets/MachineDetails.ts';
import { machines } from './datasets/Machines.ts';
import { networkInterfaces } from './datasets/NetworkInterfaces.ts';
import { newFileHashes } from './datasets/NewFileHashes.ts';
import { packages } from './datasets/Packages.ts';
import { processes } from './datasets/Processes.ts';
import { userLogins } from './datasets/UserLogins.ts';
import { users } from './datasets/Users.ts';

/** First the searchable datasets, then those that only queries read. */
export const datasets: readonly TelemetryDataset[] = [
  changedFiles,
  connections,
  dnss,
  userLogins,
  agentInfo,
  cloudActivities,
  applications,
  commandLines,
  containers,
  files,
  images,
  internalIPAddresses,
  k8sPods,
  machineDetails,
  machines,
  networkInterfaces,
  newFileHashes,
  packages,
  processes,
  users,
  events,
  cloudTrailRawEvents,
  gcpActivity,
  azureActivity,
  k8sAudit,
  singleConnections,
  syscallsExec,
  syscallsFile,
  windowsRegistry,
  authorizedKeys,
  secrets,
];
