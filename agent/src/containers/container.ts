import type { Gap } from '../source.ts';

/** As reported in CONTAINER_TYPE. */
export type RuntimeType = 'DOCKER' | 'PODMAN' | 'CONTAINERD' | 'CRIO';

/** A container that runs, or that ended a short time ago. */
export interface Container {
  readonly id: string;
  /** Unique on the host: see `container-name.ts`. */
  readonly name: string;
  /** The name without its pod. */
  readonly shortName: string;
  readonly runtime: RuntimeType;
  readonly imageId: string;
  readonly imageRepo?: string;
  readonly imageTag?: string;
  readonly pod?: Pod;
  readonly isRunning: boolean;
  /** Milliseconds since the epoch, as all times here. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly labels: Readonly<Record<string, string>>;
  /** With masked values. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Path on the host → path in the container. */
  readonly volumes: Readonly<Record<string, string>>;
  /** Port → protocol. */
  readonly ports: Readonly<Record<string, string>>;
  readonly ipv4?: string;
  readonly ipv6?: string;
  readonly networkMode?: string;
  readonly pidMode?: string;
  readonly isPrivileged?: boolean;
}

/** A Kubernetes pod, by the labels or the sandbox of its containers. */
export interface Pod {
  readonly name: string;
  readonly namespace: string;
  readonly address?: string;
}

export interface Image {
  readonly id: string;
  readonly runtime: RuntimeType;
  readonly tags: readonly string[];
  readonly digests: readonly string[];
  readonly size: number;
  readonly virtualSize?: number;
  readonly createdAt?: number;
  readonly parentId?: string;
}

/** What a container runtime manages. */
export interface Inventory {
  readonly containers: readonly Container[];
  readonly images: readonly Image[];
  /** Ids of containers that only hold the namespaces of a pod, or that are stopped: not reported, but not unknown either. */
  readonly otherIds: readonly string[];
  readonly gaps: readonly Gap[];
}
