import { readFileSync } from 'node:fs';
import { cpus, totalmem, uptime } from 'node:os';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseBootTime } from '../host/boot-time.ts';
import { qualifiedName } from './hostname.ts';
import { parseCpuinfo, parseMemTotal } from './processor.ts';

test('processors, memory and start of this host are those that Node reads', () => {
  const { model, cores } = parseCpuinfo(readFileSync('/proc/cpuinfo', 'utf8'));
  expect(cores).toBe(cpus().length);
  expect(model ?? 'unknown').toBe(cpus()[0]?.model.trim());
  expect(parseMemTotal(readFileSync('/proc/meminfo', 'utf8'))).toBe(totalmem() / 1024);
  const boot = parseBootTime(readFileSync('/proc/stat', 'utf8')) ?? 0;
  expect(Math.abs(Date.now() - uptime() * 1_000 - boot)).toBeLessThan(60_000);
});

test('a virtual machine is one by the flags of its processors', () => {
  expect(parseCpuinfo('processor\t: 0\nflags\t\t: fpu hypervisor lahf\n')).toEqual({
    cores: 1,
    isVirtual: true,
  });
  expect(parseCpuinfo('processor : 0\nprocessor : 1\nModel : Board 4\nflags : fpu')).toEqual({
    model: 'Board 4',
    cores: 2,
    isVirtual: false,
  });
});

test('the full name of a host is in its line of /etc/hosts', () => {
  const hosts = '127.0.0.1 localhost\n10.0.0.5 web-1.shop.example web-1 # web-1.old.example\n';
  expect(qualifiedName(hosts, 'web-1')).toBe('web-1.shop.example');
  expect(qualifiedName(hosts, 'web')).toBeUndefined();
});

test('any text is read without an error', () => {
  const unit = fc.constantFrom(...'processor: \tbtimeMTlkB0123456789\n');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 300 }), fc.string(), (text, name) => {
      parseCpuinfo(text);
      parseMemTotal(text);
      parseBootTime(text);
      qualifiedName(text, name);
    }),
  );
});
