import { defineGcpService } from '../service.ts';

const env = (spec: string) => `${spec}.workerPoolSpecs.*.containerSpec.env.*.value`;

export default defineGcpService({
  name: 'Vertex AI',
  prefix: 'aiplatform',
  group: 'ai',
  types: [
    'BatchPredictionJob',
    { type: 'CustomJob', redact: [env('jobSpec')] },
    'DataLabelingJob',
    'Dataset',
    'Endpoint',
    { type: 'HyperparameterTuningJob', redact: [env('trialJobSpec')] },
    'MetadataStore',
    { type: 'Model', redact: ['containerSpec.env.*.value'] },
    'ModelDeploymentMonitoringJob',
    { type: 'PipelineJob', redact: ['runtimeConfig.parameters.*', 'runtimeConfig.parameterValues.*'] },
    'SpecialistPool',
    'TrainingPipeline',
  ],
});
