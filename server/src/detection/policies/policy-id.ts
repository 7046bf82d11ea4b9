import { lastNumber, nextNumber } from '../../control/sequence.ts';
import type { ControlTransaction } from '../../control/store.ts';
import type { Scope } from '../../identity/scope.ts';
import { Refusal } from '../../platform/errors.ts';
import { quoted } from '../../platform/quoted.ts';

/** The specified format of the part after the account name. */
const remainder = /^[a-z]{1,16}(?:-\d{1,8})?$/;
const reserved = /^default(?:$|-)/;
const sequence = 'policy';

/** In paths and arrays of ids, `$account` is replaced by the account name. */
export function resolvePolicyId({ name }: Scope, given: string): string {
  return given.startsWith('$account-') ? name + given.slice('$account'.length) : given;
}

/**
 * The id of a new policy: `<account>-` and a remainder. Clients send it with `$account`, with the account name, without
 * a prefix, or not at all; then it is generated.
 */
export async function newPolicyId(
  tx: ControlTransaction,
  scope: Scope,
  given: string | undefined,
): Promise<string> {
  if (!given) return `${scope.name}-default-${await nextNumber(tx, scope.ownerId, sequence)}`;
  const resolved = resolvePolicyId(scope, given);
  const isWhole = resolved.startsWith(`${scope.name}-`) && !remainder.test(given);
  const rest = isWhole ? resolved.slice(scope.name.length + 1) : given;
  const generated = isWhole && given === resolved ? /^default-([1-9]\d{0,8})$/.exec(rest) : null;
  // A generated id may be given explicitly, as when users restore a saved policy.
  if (generated && Number(generated[1]) <= (await lastNumber(tx, scope.ownerId, sequence))) return resolved;
  if (!remainder.test(rest) || reserved.test(rest)) {
    throw new Refusal(
      'INVALID_INPUT',
      `policyId ${quoted(given)} is not valid: write $account-, 1 to 16 lower-case letters and optionally a hyphen and ` +
        '1 to 8 digits, but not default; or omit it.',
    );
  }
  return `${scope.name}-${rest}`;
}
