import { Type } from 'typebox';
import type { RecordsBody } from '../../http/records-body.ts';
import { defineRoute } from '../../http/route.ts';
import { type Scope, tokenPurposes } from '../../identity/scope.ts';
import { digestOf } from '../../telemetry/body-digest.ts';
import type { TelemetryDataset } from '../../telemetry/dataset.ts';
import { datasets } from '../../telemetry/datasets.ts';
import type { Intake } from '../../telemetry/intake.ts';
import { recordLimits } from '../../telemetry/record-bounds.ts';
import { reportedSchema } from '../../telemetry/record-form.ts';
import { family } from './family.ts';

const headers = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'A batch that is sent again with the same key within 7 days is not stored again. The same key with a different body is rejected with 409; compression does not matter.',
    }),
  ),
});

const { characters, values, depth } = recordLimits;
const description =
  'A batch is stored completely or not at all. It may be compressed with gzip. ' +
  `A record has at most ${characters} characters, ${values} values and ${depth} levels of nesting.`;

const query = Type.Object({
  distinct: Type.Optional(
    Type.Enum(['true', 'false'], {
      description:
        'true leaves out events that are stored already, whichever batch or audit log they came with. false by default.',
    }),
  ),
});

const replies = {
  200: Type.Object({
    data: Type.Object(
      {
        accepted: Type.Integer({
          description:
            'Number of records in the batch, all stored durably; with distinct=true only those that were not stored before.',
        }),
        repeated: Type.Integer({
          description:
            'Number of records that an earlier batch with the same idempotency key had already stored: all or none.',
        }),
      },
      { description: 'Result of the ingestion.' },
    ),
  }),
};

/** One operation for each dataset, so that the reference shows the schema of its records. */
export const ingestRoutes = ({ intake }: { intake: Intake }) =>
  datasets.map((dataset) => {
    const common = {
      method: 'POST',
      path: `/ingest/v1/${dataset.path}`,
      family,
      summary: `Ingest ${nameOf(dataset)}`,
      description,
      access: 'agent',
      rate: 'exempt',
      headers,
      body: 'records',
      describedBody: reportedSchema(dataset),
      replies,
      refuses: ['CONFLICT'],
    } as const;
    const store = async (
      { ownerId: account }: Scope,
      { form, text: body }: RecordsBody,
      idempotencyKey: string | undefined,
      isDistinct: boolean,
    ) => {
      const bodyDigest = idempotencyKey === undefined ? undefined : await digestOf(body);
      const { records, isRepeat } = await intake.ingest({
        ...{ account, dataset, form, body, idempotencyKey, bodyDigest, isDistinct },
      });
      return {
        status: 200,
        body: { data: { accepted: records, repeated: isRepeat ? records : 0 } },
      } as const;
    };
    if (!dataset.isOfCloud)
      return defineRoute({ ...common, tokens: ['agent'] }).handle(({ scope, headers, body }) =>
        store(scope, body, headers['idempotency-key'], false),
      );
    return defineRoute({ ...common, tokens: tokenPurposes, query }).handle(
      ({ scope, headers, query, body }) =>
        store(scope, body, headers['idempotency-key'], query.distinct === 'true'),
    );
  });

function nameOf({ path }: TelemetryDataset): string {
  return path.replace('/', ' ');
}
