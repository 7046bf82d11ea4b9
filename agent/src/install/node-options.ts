/** Memory matters more than speed to a program that works for some milliseconds each second: decision 69. */
export const nodeOptions = ['--lite-mode', '--max-semi-space-size=1'];
