import type { ResourceFacts } from '../../telemetry/resource.ts';

export interface AzureTenant {
  readonly id: string;
  /** Empty if it is not known. */
  readonly name: string;
}

export interface AzureSubscription {
  readonly id: string;
  readonly name: string;
}

/** A subscription, or the tenant itself: what one collection covers. Ids are in lower case. */
export class AzureScope {
  readonly tenant: AzureTenant;
  readonly subscription: AzureSubscription | undefined;

  constructor(tenant: AzureTenant, subscription?: AzureSubscription) {
    this.tenant = { ...tenant, id: tenant.id.toLowerCase() };
    this.subscription = subscription && { ...subscription, id: subscription.id.toLowerCase() };
  }

  get cloudAccount(): string {
    return this.subscription?.id ?? this.tenant.id;
  }

  /** The id of a resource, with that of the tenant for one that all tenants have under the same id. */
  unique(id: string): string {
    return this.subscription ? id : `/tenants/${this.tenant.id}${id}`;
  }

  get title(): string {
    const [noun, { id, name }] = this.subscription
      ? ['Azure subscription', this.subscription]
      : ['Azure tenant', this.tenant];
    return name ? `${noun} ${id} (${name})` : `${noun} ${id}`;
  }

  get facts(): ResourceFacts {
    const { tenant, subscription } = this;
    return {
      ...{ TENANT_ID: tenant.id, TENANT_NAME: tenant.name },
      ...(subscription && { SUBSCRIPTION_ID: subscription.id, SUBSCRIPTION_NAME: subscription.name }),
    };
  }
}
