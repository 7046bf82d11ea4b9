import { Type } from 'typebox';
import { defineRoute } from '../../http/route.ts';
import { digestOf } from '../../telemetry/body-digest.ts';
import type { TelemetryDataset } from '../../telemetry/dataset.ts';
import { datasets } from '../../telemetry/datasets.ts';
import type { Intake } from '../../telemetry/intake.ts';
import { recordLimits } from '../../telemetry/record-bounds.ts';
import { reportedSchema } from '../../telemetry/record-form.ts';

const family = { name: 'Ingest', description: 'What agents and clouds report is taken in here.' };

const headers = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'A batch that comes again with the same key within 7 days is not stored again. The same key with another body is refused with 409; how a body is compressed makes no difference.',
    }),
  ),
});

const { characters, values, depth } = recordLimits;
const description =
  'A batch is stored whole or not at all. It may be packed with gzip. ' +
  `A record has at most ${characters} characters, ${values} values and ${depth} levels of nesting.`;

const replies = {
  200: Type.Object({
    data: Type.Object(
      {
        accepted: Type.Integer({ description: 'Records of the batch, all of them durable now.' }),
        repeated: Type.Integer({
          description:
            'Those of them that an earlier batch with the same idempotency key had stored: all or none.',
        }),
      },
      { description: 'What became of the batch.' },
    ),
  }),
};

/** One operation for each dataset, so that the documentation shows what its records are. */
export const ingestRoutes = ({ intake }: { intake: Intake }) =>
  datasets.map((dataset) => {
    const route = defineRoute({
      method: 'POST',
      path: `/ingest/v1/${dataset.path}`,
      family,
      summary: `Report ${nameOf(dataset)}`,
      description,
      access: 'agent',
      rate: 'exempt',
      headers,
      body: 'records',
      describedBody: reportedSchema(dataset),
      replies,
      refuses: ['CONFLICT'],
    });
    return route.handle(async ({ scope, headers, body }) => {
      const idempotencyKey = headers['idempotency-key'];
      const bodyDigest = idempotencyKey === undefined ? undefined : await digestOf(body.text);
      const { records, isRepeat } = await intake.take({
        account: scope.ownerId,
        dataset,
        ...body,
        idempotencyKey,
        bodyDigest,
      });
      return { status: 200, body: { data: { accepted: records, repeated: isRepeat ? records : 0 } } };
    });
  });

function nameOf({ path }: TelemetryDataset): string {
  return path.replace('/', ' ');
}
