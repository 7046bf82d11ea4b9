import type { Mark } from '../outline/block.ts';

export type Point = readonly [x: number, y: number];

/** An outline in a square of ten by ten. */
export type Shape =
  | { readonly points: readonly Point[]; readonly paint: 'fill' | 'stroke' | 'outline' }
  | { readonly centre: Point; readonly radius: number; readonly paint: 'fill' | 'stroke' };

export const shapeSize = 10;
export const strokeWidth = 1.4;

const octagon: readonly Point[] = [
  ...([
    [3.2, 0.6],
    [6.8, 0.6],
    [9.4, 3.2],
    [9.4, 6.8],
    [6.8, 9.4],
    [3.2, 9.4],
    [0.6, 6.8],
    [0.6, 3.2],
  ] as const),
];

/** More severe means more ink. */
const severities: Readonly<Record<number, readonly Shape[]>> = {
  1: [{ points: octagon, paint: 'fill' }],
  2: [
    {
      points: [
        [5, 0.8],
        [9.6, 9],
        [0.4, 9],
      ],
      paint: 'fill',
    },
  ],
  3: [
    {
      points: [
        [5, 0.6],
        [9.4, 5],
        [5, 9.4],
        [0.6, 5],
      ],
      paint: 'fill',
    },
  ],
  4: [{ centre: [5, 5], radius: 3.6, paint: 'stroke' }],
  5: [{ centre: [5, 5], radius: 1.8, paint: 'fill' }],
};

const ring: Shape = { centre: [5, 5], radius: 4, paint: 'stroke' };

const statuses: Readonly<Record<string, readonly Shape[]>> = {
  Compliant: [
    {
      points: [
        [1, 5.4],
        [3.9, 8.3],
        [9, 2.2],
      ],
      paint: 'stroke',
    },
  ],
  NonCompliant: [
    {
      points: [
        [1.5, 1.5],
        [8.5, 8.5],
      ],
      paint: 'stroke',
    },
    {
      points: [
        [8.5, 1.5],
        [1.5, 8.5],
      ],
      paint: 'stroke',
    },
  ],
  Suppressed: [
    ring,
    {
      points: [
        [2.2, 7.8],
        [7.8, 2.2],
      ],
      paint: 'stroke',
    },
  ],
  RequiresManualAssessment: [
    {
      points: [
        [1.3, 1.3],
        [8.7, 1.3],
        [8.7, 8.7],
        [1.3, 8.7],
      ],
      paint: 'outline',
    },
  ],
  CouldNotAssess: [ring, { centre: [5, 5], radius: 1.1, paint: 'fill' }],
};

export const shapesOf = ({ of, value }: Mark): readonly Shape[] =>
  (of === 'severity' ? severities[value] : statuses[value]) ?? [];
