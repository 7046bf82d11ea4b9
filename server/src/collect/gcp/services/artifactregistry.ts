import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Artifact Registry',
  prefix: 'artifactregistry',
  group: 'containers',
  types: ['DockerImage', 'Repository'],
});
