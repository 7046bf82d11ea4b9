import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Document AI',
  prefix: 'documentai',
  group: 'ai',
  types: ['HumanReviewConfig', 'LabelerPool', 'Processor', 'ProcessorVersion'],
});
