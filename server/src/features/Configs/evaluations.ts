import { Type } from 'typebox';
import type { Scanner } from '../../control/scan/scanner.ts';
import { searchRoutes } from '../../families/search-routes.ts';
import type { Clock } from '../../platform/clock.ts';
import { readFilters } from '../../search/filter.ts';
import { evaluationDatasets, evaluationRecord } from '../../telemetry/evaluation-record.ts';
import { fieldsOf } from '../../telemetry/record-form.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { family } from './family.ts';

type DatasetName = keyof typeof evaluationDatasets;

const members = {
  dataset: Type.Enum(Object.keys(evaluationDatasets) as [DatasetName, ...DatasetName[]], {
    description: 'The cloud provider whose resources were evaluated.',
  }),
};

export interface EvaluationSearchDeps {
  readonly telemetry: Telemetry;
  readonly scanner: Scanner;
  readonly clock: Clock;
}

export function evaluationSearchRoutes({ telemetry, scanner, clock }: EvaluationSearchDeps) {
  const { path, description } = evaluationRecord;
  const fields = fieldsOf(evaluationRecord);
  return searchRoutes(
    {
      ...{
        path,
        pages: path,
        description,
        record: family.subtypes.ComplianceEvaluations,
        isPaged: true,
        isListed: false,
      },
      extension: {
        members,
        apply: (body, query) => ({ ...query, provider: evaluationDatasets[body.dataset as DatasetName] }),
      },
      fieldsFor: async () => fields,
      search: async (ownerId, request, signal) => {
        await scanner.checkPatterns(ownerId, readFilters(request.filters, fields), signal);
        return telemetry.evaluations.search(ownerId, request, signal);
      },
      nextPage: (ownerId, page, signal) => telemetry.evaluations.nextPage(ownerId, page, signal),
    },
    { clock, family },
  );
}
