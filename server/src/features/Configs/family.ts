import { evaluationRecord } from '../../telemetry/evaluation-record.ts';
import { recordSchema } from '../../telemetry/record-form.ts';

export const family = {
  name: 'Configs',
  description: 'Configuration of the clouds, and its evaluations by policies.',
  subtypes: { ComplianceEvaluations: recordSchema(evaluationRecord) },
};
