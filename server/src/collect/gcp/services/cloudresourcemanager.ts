import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Resource Manager',
  prefix: 'cloudresourcemanager',
  group: 'identity',
  types: ['Folder', 'Organization', 'Project', 'TagBinding', 'TagKey', 'TagValue'],
});
