import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinEvents } from './event-join.ts';
import type { Execution } from './execution.ts';

const start = 1_767_261_600_000;

/** As auditd does: hexadecimal if there is a space, a quote or a control character. */
function written(text: string): string {
  return /[^\x21-\x7e]|"/.test(text) || text === ''
    ? Buffer.from(text).toString('hex').toUpperCase()
    : `"${text}"`;
}

function linesOf({ at, pid, ppid, uid, gid, exePath, parameters }: Execution, serial: number): string[] {
  const event = `msg=audit(${Math.floor(at / 1000)}.${String(at % 1000).padStart(3, '0')}:${serial}):`;
  const fields = parameters.map((value, index) => `a${index}=${written(value)}`).join(' ');
  return [
    `type=SYSCALL ${event} arch=c000003e syscall=59 success=yes ppid=${ppid} pid=${pid} uid=${uid} gid=${gid} comm="x" exe=${written(exePath)} key="exec"`,
    `type=EXECVE ${event} argc=${parameters.length} ${fields}`,
    `type=CWD ${event} cwd="/srv"`,
    `type=PATH ${event} item=0 name="/other" inode=1 nametype=NORMAL`,
    `type=PROCTITLE ${event} proctitle=6C73`,
  ];
}

const ls: Execution = {
  ...{ at: start, pid: 10, ppid: 1, uid: 0, gid: 0, exePath: '/usr/bin/ls', parameters: ['ls', '-l', 'a b'] },
};

test('records of one event are an execution', () => {
  expect(joinEvents(linesOf(ls, 1), false)).toEqual({ executions: [ls], waiting: [] });
});

test('an event without its end waits, until nothing follows or a later event comes', () => {
  const part = linesOf(ls, 1).slice(0, 2);
  expect(joinEvents(part, false)).toEqual({ executions: [], waiting: part });
  expect(joinEvents(part, true)).toEqual({ executions: [ls], waiting: [] });
  const later = 'type=LOGIN msg=audit(1767261603.000:9): pid=1';
  expect(joinEvents([...part, later], false)).toEqual({ executions: [ls], waiting: [] });
});

test('other calls and failed executions are left out', () => {
  const [call = '', executed = '', , , end = ''] = linesOf(ls, 1);
  expect(joinEvents([call, end], false).executions).toEqual([]);
  expect(joinEvents([call.replace('success=yes', 'success=no'), executed, end], false).executions).toEqual(
    [],
  );
  expect(joinEvents([executed, end], false).executions).toEqual([]);
});

test('without the program, the path is taken', () => {
  const lines = linesOf(ls, 1).map((line) => line.replace(/exe=\S+/, 'exe=(null)'));
  expect(joinEvents(lines, false).executions).toMatchObject([{ exePath: '/other' }]);
});

test('long parameters are joined, also over several records and within a character', () => {
  const event = 'msg=audit(1767261600.000:1):';
  const hex = Buffer.from('häh').toString('hex').toUpperCase();
  const [call = '', , , , end = ''] = linesOf(ls, 1);
  const lines = [
    call,
    `type=EXECVE ${event} argc=3 a0="sh" a1_len=8 a1[0]=${hex.slice(0, 4)}`,
    `type=EXECVE ${event} a1[1]=${hex.slice(4)} a2="end"`,
    end,
  ];
  expect(joinEvents(lines, false).executions).toMatchObject([{ parameters: ['sh', 'häh', 'end'] }]);
});

const id = fc.nat(2 ** 31);
const text = fc.string({ unit: fc.constantFrom(...'ab/-"\'\\= \nä😀\x1d'), minLength: 1 });
const execution = fc.record({
  ...{ at: fc.nat(1_900).map((after) => start + after), pid: id, ppid: id, uid: id, gid: id },
  ...{ exePath: text, parameters: fc.array(text, { minLength: 1, maxLength: 5 }) },
});

test('interleaved events are read as they were written, wherever the reading stops between', () => {
  fc.assert(
    fc.property(
      fc.array(execution, { maxLength: 6 }),
      fc.infiniteStream(fc.nat()),
      fc.nat(),
      (all, picks, stop) => {
        const queues = all.map(linesOf);
        const lines: string[] = [];
        for (let rest = queues; rest.length > 0; rest = rest.filter((queue) => queue.length > 0))
          lines.push(rest[(picks.next().value ?? 0) % rest.length]?.shift() ?? '');
        const at = stop % (lines.length + 1);
        const first = joinEvents(lines.slice(0, at), false);
        const second = joinEvents([...first.waiting, ...lines.slice(at)], true);
        const joined = [...first.executions, ...second.executions];
        const sorted = (list: readonly Execution[]) =>
          list.map((one) => JSON.stringify(one, Object.keys(ls).sort())).sort();
        expect(sorted(joined)).toEqual(sorted(all));
        expect(second.waiting).toEqual([]);
      },
    ),
  );
});

test('what waits is bounded, and any lines are joined', () => {
  const many = Array.from({ length: 1_000 }, (_, serial) => linesOf(ls, serial).slice(0, 2)).flat();
  const { executions, waiting } = joinEvents(many, false);
  expect(waiting.length).toBeLessThanOrEqual(400);
  expect(executions.length + waiting.length / 2).toBe(1_000);
  const large = linesOf({ ...ls, parameters: ['x'.repeat(300_000)] }, 1).slice(0, 2);
  expect(joinEvents(large, false).waiting).toEqual([]);
  const [call = '', executed = ''] = linesOf(ls, 1);
  const damaged = fc.tuple(fc.constantFrom(call, executed), fc.nat(200), fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(fc.array(damaged), fc.boolean(), (parts, isLast) => {
      joinEvents(
        parts.map(([line, at, added]) => line.slice(0, at) + added + line.slice(at + 1)),
        isLast,
      );
    }),
  );
});
