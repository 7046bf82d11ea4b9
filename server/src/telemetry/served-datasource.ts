import type { Datasource } from '@vedette/lql/catalogue/catalogue';
import type { TelemetryDataset } from './dataset.ts';
import type { Datasource as TelemetryDatasource } from './datasource.ts';

export type Provider = 'aws' | 'azure' | 'gcp' | 'oci' | 'k8s';

/** Records of a dataset, mapped by one of its datasource declarations. */
export interface TelemetryOrigin {
  readonly from: 'telemetry';
  readonly dataset: TelemetryDataset;
  readonly declaration: TelemetryDatasource;
}

/** A kind of cloud resource. */
export interface ResourceKind {
  /** The key under which collectors store its rows: the datasource's current name. The call is not unique. */
  readonly name: string;
  readonly service: string;
  /** The cloud API call, or the resource type; empty if unknown. */
  readonly call: string;
}

/** Collected cloud resources of one kind, or of all kinds. */
export interface ResourceOrigin {
  readonly from: 'resources';
  readonly provider: Provider;
  readonly kind: ResourceKind | undefined;
}

/** The results of collections. */
export interface CollectionOrigin {
  readonly from: 'collections';
}

/** Not yet produced by the service. */
export interface NoOrigin {
  readonly from: 'nothing';
}

export type Origin = TelemetryOrigin | ResourceOrigin | CollectionOrigin | NoOrigin;

/** A datasource with the origin of its rows. */
export interface ServedDatasource extends Datasource {
  readonly origin: Origin;
}
