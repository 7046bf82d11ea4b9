import { Type } from 'typebox';
import { tokenOf } from '../../http/gate.ts';
import { defineRoute } from '../../http/route.ts';
import { type ServerTokens, wrongServerToken } from '../../integrations/server-tokens.ts';
import { IntegrationState } from '../../integrations/state.ts';

const family = {
  name: 'Dspm',
  description: 'Status reports of scanners for sensitive data.',
};

const reportStatus = defineRoute({
  method: 'POST',
  path: '/api/v2/dspm/status',
  family,
  summary: 'Report the status of an AwsDspm or AzureDspm integration',
  description:
    'The header Authorization contains the server token of the integration instead of an access token, with or without ' +
    'the prefix Bearer. The report is stored in `state` of the integration. The token permits nothing else.',
  access: 'public',
  rate: 'credential',
  headers: Type.Object({
    authorization: Type.Optional(
      Type.String({ maxLength: 300, description: 'The server token of the integration.' }),
    ),
  }),
  body: Type.Object({
    ok: Type.Boolean({ description: 'Whether the scanner works.' }),
    message: Type.String({ maxLength: 2_000, description: 'Details of the status.' }),
  }),
  replies: { 200: Type.Object({ data: IntegrationState }) },
  refuses: ['UNAUTHENTICATED'],
});

export const dspmRoutes = ({ serverTokens }: { serverTokens: ServerTokens }) => [
  reportStatus.handle(async ({ headers, body, attempt }) => {
    const token = tokenOf(headers.authorization);
    if (token === undefined) return attempt.reject('server_token', wrongServerToken());
    const match = await serverTokens.find(token);
    if (!match?.mayReport) {
      const known = match && {
        ownerId: match.ownerId,
        name: `the server token of the integration ${match.id}`,
      };
      return attempt.reject('server_token', wrongServerToken(), { known });
    }
    await attempt.accept(match.id);
    return { status: 200, body: { data: await serverTokens.report(token, body) } };
  }),
];
