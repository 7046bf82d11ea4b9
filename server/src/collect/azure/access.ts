import type { Problem } from '../inventory/problem.ts';
import { type AzureApi, managementRate } from './azure-api.ts';
import { AzureError, meaningOf } from './azure-problem.ts';

interface Grant {
  readonly actions: readonly RegExp[];
  readonly notActions: readonly RegExp[];
}

/**
 * The actions that the credential may do in a whole subscription. Resource Graph omits what the caller may not read
 * instead of refusing it: without this, a missing role would look like missing resources.
 */
export class AzureAccess {
  /** Undefined if the provider does not report them. */
  readonly #grants: readonly Grant[] | undefined;
  readonly #scope: string;

  private constructor(scope: string, grants: readonly Grant[] | undefined) {
    this.#scope = scope;
    this.#grants = grants;
  }

  static async of(api: AzureApi, subscription: string, signal: AbortSignal): Promise<AzureAccess> {
    const scope = `subscription ${subscription}`;
    const path = `/subscriptions/${subscription}/providers/Microsoft.Authorization/permissions?api-version=2022-04-01`;
    const budget = `Resource Manager ${subscription}`;
    const call = { api: 'management', path, budget, rate: managementRate } as const;
    const grants: Grant[] = [];
    try {
      for await (const page of api.pages(call, 'nextLink', signal)) grants.push(...page.map(grantOf));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AzureError)) throw error;
      const meaning = meaningOf(error, {}, 'permissions', '');
      // Without a role at the subscription, even this is refused. Other errors say nothing about the roles.
      return new AzureAccess(scope, meaning !== 'none' && meaning.status === 'denied' ? [] : undefined);
    }
    return new AzureAccess(scope, grants);
  }

  /** Why an action is not allowed; undefined if it is. */
  problemOf(action: string): Problem | undefined {
    if (!this.#grants || this.#grants.some((grant) => allows(grant, action))) return undefined;
    return {
      status: 'denied',
      reason: `No role of the credential at ${this.#scope} allows ${action}.`,
      permission: action,
    };
  }
}

function allows({ actions, notActions }: Grant, action: string): boolean {
  const matches = (pattern: RegExp) => pattern.test(action);
  return actions.some(matches) && !notActions.some(matches);
}

function grantOf(value: unknown): Grant {
  const { actions, notActions } = Object(value) as { actions?: unknown; notActions?: unknown };
  return { actions: patternsOf(actions), notActions: patternsOf(notActions) };
}

/** `*` stands for any characters. Longer patterns than any action are ignored. */
function patternsOf(values: unknown): RegExp[] {
  const patterns = (Array.isArray(values) ? values : []).filter(
    (value): value is string => typeof value === 'string' && value.length <= 300 && !/\*.*\*.*\*/.test(value),
  );
  return patterns.map((pattern) => {
    const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('.*')}$`, 'i');
  });
}
