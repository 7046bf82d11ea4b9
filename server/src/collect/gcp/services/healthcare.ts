import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Cloud Healthcare',
  prefix: 'healthcare',
  group: 'ai',
  types: ['ConsentStore', 'Dataset', 'DicomStore', 'FhirStore', 'Hl7V2Store'],
});
