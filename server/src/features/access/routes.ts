import { Type } from 'typebox';
import { defineRoute } from '../../http/route.ts';
import { type Tokens, wrongKey } from '../../identity/tokens.ts';
import { secretMark } from '../../integrations/members.ts';
import { Refusal } from '../../platform/errors.ts';
import { formatInstant } from '../../platform/instant.ts';

const family = {
  name: 'AccessTokens',
  description: 'Temporary bearer tokens, obtained with an API key.',
};

const createToken = defineRoute({
  method: 'POST',
  path: '/api/v2/access/tokens',
  family,
  summary: 'Exchange an API key for an access token',
  description:
    'The only operation that takes the API key itself. The headers Authorization and Account-Name are ignored.',
  access: 'public',
  rate: 'credential',
  headers: Type.Object({
    'x-lw-uaks': Type.Optional(Type.String({ maxLength: 200, description: 'The secret of the API key.' })),
  }),
  body: Type.Object({
    keyId: Type.String({ minLength: 1, maxLength: 200, description: 'The identifier of the API key.' }),
    expiryTime: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 86_400,
        default: 3600,
        description: 'Lifetime of the token in seconds; at most 86400.',
      }),
    ),
  }),
  replies: {
    // Without a `data` wrapper: clients read the two members at the top level.
    201: Type.Object({
      token: Type.String({ maxLength: 200, description: 'The bearer token.', [secretMark]: 'shown' }),
      expiresAt: Type.String({
        maxLength: 30,
        description: 'Expiry time of the token, in UTC with milliseconds.',
      }),
    }),
  },
  refuses: ['UNAUTHENTICATED', 'FORBIDDEN'],
});

export const accessRoutes = ({ tokens }: { tokens: Tokens }) => [
  createToken.handle(async ({ headers, body, attempt }) => {
    const { keyId, expiryTime = 3600 } = body;
    const secret = headers['x-lw-uaks'];
    if (!secret) return attempt.reject('api_key', missingSecret());
    const { caller, known } = await tokens.verify(keyId, secret);
    if (!caller) return attempt.reject('api_key', wrongKey(), { keyId, known });
    await attempt.accept(caller.rateOwner, { keyId, limit: caller.rateLimit });
    const { token, expiresAt } = await tokens.issue(caller, expiryTime);
    return { status: 201, body: { token, expiresAt: formatInstant(expiresAt) } };
  }),
];

function missingSecret(): Refusal {
  return new Refusal(
    'UNAUTHENTICATED',
    'The header X-LW-UAKS is missing: set it to the secret of the API key.',
  );
}
