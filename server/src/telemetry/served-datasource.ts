import type { Datasource } from '@vedette/lql/catalogue/catalogue';
import type { TelemetryDataset } from './dataset.ts';
import type { Datasource as TelemetryDatasource } from './datasource.ts';

export type Provider = 'aws' | 'azure' | 'gcp' | 'oci' | 'k8s';

/** Records of a dataset, as one of its declarations makes rows of them. */
export interface TelemetryOrigin {
  readonly from: 'telemetry';
  readonly dataset: TelemetryDataset;
  readonly declaration: TelemetryDatasource;
}

/** One kind of resources of a cloud. */
export interface ResourceKind {
  /** What collectors file its rows under: the datasource, by its present name. The call alone is not enough, some have two. */
  readonly name: string;
  readonly service: string;
  /** What is asked of the cloud, or the type of the resources there; empty where that is not known. */
  readonly call: string;
}

/** Resources that were collected from a cloud: of one kind, or of all where none is named. */
export interface ResourceOrigin {
  readonly from: 'resources';
  readonly provider: Provider;
  readonly kind: ResourceKind | undefined;
}

/** No part of the service makes rows of it yet. */
export interface NoOrigin {
  readonly from: 'nothing';
}

export type Origin = TelemetryOrigin | ResourceOrigin | NoOrigin;

/** A datasource with what its rows are made of, which only the service knows. */
export interface ServedDatasource extends Datasource {
  readonly origin: Origin;
}
