import { defineAzureService } from '../service.ts';

export default defineAzureService({
  name: 'Stream Analytics',
  namespace: 'Microsoft.StreamAnalytics',
  types: [
    {
      type: 'Microsoft.StreamAnalytics/streamingJobs',
      diagnostics: [''],
      redact: ['inputs.*', 'outputs.*', 'functions.*', 'jobStorageAccount.accountKey'],
    },
  ],
});
