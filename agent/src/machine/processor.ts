/** The processors of a host. */
export interface Processor {
  readonly model?: string;
  /** Those that the kernel runs on, with each thread counted. */
  readonly cores: number;
  /** Whether they are those of a virtual machine. */
  readonly isVirtual: boolean;
}

/** From `/proc/cpuinfo`. ARM has no model names. */
export function parseCpuinfo(text: string): Processor {
  const fieldOf = (name: string) => new RegExp(`^${name}[ \\t]*:[ \\t]*(.+)$`, 'm').exec(text)?.[1]?.trim();
  const model = fieldOf('model name') ?? fieldOf('Model') ?? fieldOf('cpu model');
  return {
    ...(model !== undefined && { model: model.slice(0, 200) }),
    cores: text.match(/^processor[ \t]*:/gm)?.length ?? 0,
    isVirtual: fieldOf('flags')?.split(' ').includes('hypervisor') ?? false,
  };
}

/** Kilobytes of memory, from `/proc/meminfo`. */
export function parseMemTotal(text: string): number | undefined {
  const kilobytes = /^MemTotal:\s+(\d{1,15}) kB$/m.exec(text)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes);
}
