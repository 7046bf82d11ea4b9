import { Type } from 'typebox';
import { tokenOf } from '../../http/gate.ts';
import { defineRoute } from '../../http/route.ts';
import { type ServerTokens, wrongServerToken } from '../../integrations/server-tokens.ts';
import { IntegrationState } from '../../integrations/state.ts';

const family = {
  name: 'Dspm',
  description: 'What the scanners for sensitive data say of themselves.',
};

const reportStatus = defineRoute({
  method: 'POST',
  path: '/api/v2/dspm/status',
  family,
  summary: 'Report whether an integration of type AwsDspm or AzureDspm works',
  description:
    'The header Authorization holds the server token of the integration instead of an access token, with or without ' +
    'the word Bearer. The report becomes the `state` of the integration; nothing else can be read or changed with it.',
  access: 'public',
  rate: 'credential',
  headers: Type.Object({
    authorization: Type.Optional(
      Type.String({ maxLength: 300, description: 'The server token of the integration.' }),
    ),
  }),
  body: Type.Object({
    ok: Type.Boolean({ description: 'Whether it works.' }),
    message: Type.String({ maxLength: 2_000, description: 'What there is to say about it.' }),
  }),
  replies: { 200: Type.Object({ data: IntegrationState }) },
  refuses: ['UNAUTHENTICATED'],
});

export const dspmRoutes = ({ serverTokens }: { serverTokens: ServerTokens }) => [
  reportStatus.handle(async ({ headers, body, attempt }) => {
    const token = tokenOf(headers.authorization);
    if (token === undefined) return attempt.reject('server_token', wrongServerToken());
    const found = await serverTokens.find(token);
    if (!found?.mayReport) {
      const known = found && {
        ownerId: found.ownerId,
        name: `the server token of the integration ${found.id}`,
      };
      return attempt.reject('server_token', wrongServerToken(), { known });
    }
    await attempt.accept(found.id);
    return { status: 200, body: { data: await serverTokens.report(token, body) } };
  }),
];
