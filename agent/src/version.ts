/** Of the package; in a file of its own, because the bundled agent has no package. */
export const version = '0.1.0';
