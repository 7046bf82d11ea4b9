/** The user nobody. */
const nobody = 65_534;

/** Runs it without the rights of root, if the tests have them. */
export async function unprivileged<Result>(work: () => Promise<Result>): Promise<Result> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(nobody);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
