import { existsSync, readFileSync } from 'node:fs';
import { Validator } from '../../platform/validator.ts';
import { YamlFile } from '../../platform/yaml-file.ts';
import type { Resource } from '../../telemetry/resource.ts';
import { ResourceForm, resourceOf } from '../../telemetry/resource-form.ts';
import type { Provider } from '../../telemetry/served-datasource.ts';
import { patched } from './merge-patch.ts';
import { numbered } from './record-templates.ts';

const form = new Validator(ResourceForm, 'file');

/** Where the resources of all templates are. */
const home: Readonly<Record<Provider, object>> = {
  aws: { accountId: '123456789012', accountAlias: 'example', resourceRegion: 'eu-central-1' },
  azure: {
    tenantId: '11111111-1111-4111-8111-111111111111',
    tenantName: 'Example',
    subscriptionId: '22222222-2222-4222-8222-222222222222',
    subscriptionName: 'Production',
    resourceRegion: 'westeurope',
  },
  gcp: {
    organizationId: '123456789',
    organizationName: 'example.com',
    projectId: 'example-production',
    projectName: 'Production',
    projectNumber: '987654321',
    resourceRegion: 'europe-west1',
  },
  oci: { tenantId: 'ocid1.tenancy.oc1..example' },
  k8s: { clusterId: 'example', clusterType: 'EKS' },
};

/** A typical resource of each kind, whole as collectors store it, so that a case only states relevant members. */
export class ResourceTemplates {
  readonly #folder: URL;
  readonly #read = new Map<string, unknown>();

  /** Reads the folder `records` of the packs: one file per datasource. */
  constructor(packs: URL) {
    this.#folder = new URL('records/', packs);
  }

  /** The template with the changes merged in order; `number` distinguishes the resources of a kind. */
  resource(kind: string, provider: Provider, number: number, ...changes: readonly unknown[]): Resource {
    const whole = changes.reduce(patched, numbered({ ...home[provider], ...this.#template(kind) }, number));
    form.check(whole, kind);
    return resourceOf(whole as ResourceForm, {});
  }

  #template(kind: string): object {
    let template = this.#read.get(kind);
    if (template === undefined) {
      const file = `${kind}.yaml`;
      const url = new URL(file, this.#folder);
      if (!existsSync(url)) throw new Error(`packs/records/${file} is missing: write a typical ${kind}.`);
      template = new YamlFile(`packs/records/${file}`, readFileSync(url, 'utf8')).value;
      this.#read.set(kind, template);
    }
    return template as object;
  }
}
