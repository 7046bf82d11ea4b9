import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type LoginEvent, Sessions } from './sessions.ts';

const user = fc.constantFrom('ann', 'bob');
const terminal = fc.record({
  is: fc.constant('terminal' as const),
  type: fc.constantFrom(1, 2, 7, 7, 7, 8, 8),
  line: fc.constantFrom('pts/0', 'pts/1'),
  user,
});
const message = fc.record({
  is: fc.constant('message' as const),
  pid: fc.constantFrom(1, 2, 3),
  user,
  isClosed: fc.boolean(),
});

test('whatever happens, a logoff follows a login of the same user and terminal, also over restarts', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(terminal, message), { maxLength: 60 }),
      fc.nat({ max: 30_000 }),
      (steps, pause) => {
        let sessions = new Sessions();
        const open: string[] = [];
        let begun = 0;
        let logins = 0;
        const check = (happened: readonly LoginEvent[]) => {
          for (const { type, user, tty = '' } of happened) {
            const key = `${user} ${tty}`;
            if (type === 'LOGIN') logins++;
            if (type === 'LOGIN') open.push(key);
            else expect(open.splice(open.indexOf(key), 1)).toEqual([key]);
          }
        };
        for (const [index, step] of steps.entries()) {
          const at = 1_700_000_000_000 + index * pause;
          if (step.is === 'terminal' ? step.type === 7 : !step.isClosed) begun++;
          if (step.is === 'terminal')
            check(sessions.terminal({ pid: 1, host: '', at, address: '192.0.2.7', ...step }));
          else
            check(
              sessions.message({
                ...{ at, pid: step.pid },
                message: step.isClosed
                  ? `pam_unix(sshd:session): session closed for user ${step.user}`
                  : `Accepted password for ${step.user} from 192.0.2.7 port 1 ssh2`,
              }),
            );
          check(sessions.withoutTerminal(at));
          sessions = new Sessions(JSON.parse(JSON.stringify(sessions.state)));
          expect(logins).toBeLessThanOrEqual(begun);
        }
      },
    ),
  );
});
