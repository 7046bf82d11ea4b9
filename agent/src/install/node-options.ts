/** Memory matters more than speed to a program that works for some milliseconds each second: decision 69. */
export const nodeOptions = ['--no-opt', '--optimize-for-size', '--max-semi-space-size=1'];
