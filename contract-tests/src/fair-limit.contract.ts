import { isAppError, type AppError, type FairLimit } from '@palimpsest/core';
import { AssertionError, expect } from 'chai';
import { eventually, rejectionOf } from './expectations.ts';
import { openForEach, type Open } from './harness.ts';

const PLACES = 3;
const WAITING_PER_OWNER = 5;

const going = new AbortController().signal;
const enough = new Error('enough');

/** Lets everything go on that could go on without the tasks ending. */
const turns = async (): Promise<void> => {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
};

/** Tasks, known by the names of their owners and a number; each ends when it is told to. */
const tasksOf = (limit: FairLimit) => {
  const begun: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<string>>();
  return {
    begun,
    /** Asks for a place for a task such as `ada-1`. */
    ask: (name: string, signal: AbortSignal = going): Promise<string> => {
      const gate = Promise.withResolvers<string>();
      gates.set(name, gate);
      const task = (): Promise<string> => {
        begun.push(name);
        return gate.promise;
      };
      const result = limit.run(name.split('-')[0] ?? '', task, signal);
      // Each is awaited in its time; one that is refused until then is not unhandled.
      result.catch(() => {});
      return result;
    },
    end: (name: string): void => gates.get(name)?.resolve(name),
    fail: (name: string, error: unknown): void => gates.get(name)?.reject(error),
    /** Ends the tasks that run, one by one in the order in which they began, until none begins any more. */
    endAll: async (): Promise<void> => {
      for (let i = 0; i < begun.length; i++) {
        gates.get(begun[i] ?? '')?.resolve(begun[i] ?? '');
        await turns();
      }
    },
  };
};

const refusalOf = async (action: () => Promise<unknown>): Promise<AppError> => {
  const error = await rejectionOf(action);
  if (!isAppError(error, 'RATE_LIMITED')) throw new AssertionError(`RATE_LIMITED was expected, not ${String(error)}`);
  return error;
};

const names = (owner: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `${owner}-${i + 1}`);

/** What every `FairLimit` promises. `open` gives one with three places, where five tasks of an owner may wait. */
export const describeFairLimit = (name: string, open: Open<FairLimit>): void =>
  void describe(`${name}, a FairLimit`, () => {
    const opened = openForEach(open);

    /** All places taken by tasks of somebody. */
    const taken = async (owner = 'first') => {
      const tasks = tasksOf(opened().subject);
      const results = names(owner, PLACES).map((each) => tasks.ask(each));
      await eventually('all places are taken', () => tasks.begun.length === PLACES);
      return { ...tasks, results };
    };

    /** Fails if not three tasks at once have a place, no more and no fewer. */
    const expectAllPlaces = async (): Promise<void> => {
      const { begun, ask, endAll, results } = await taken('afterwards');
      const fourth = ask('afterwards-4');
      await turns();
      expect(begun).to.deep.equal(names('afterwards', PLACES));
      await endAll();
      expect(await Promise.all([...results, fourth])).to.deep.equal(names('afterwards', 4));
    };

    it('resolves as the task does', async () => {
      const result = { any: 'thing' };
      expect(await opened().subject.run('ada', () => Promise.resolve(result), going)).to.equal(result);
      expect(await opened().subject.run('ada', () => Promise.resolve(undefined), going)).to.equal(undefined);
    });

    it('throws as the task does, also where that throws at once, and frees its place', async () => {
      const error = new Error('the task failed');
      const thrower = (): Promise<void> => {
        throw error;
      };
      for (let i = 0; i < 2 * PLACES; i++) {
        expect(await rejectionOf(() => opened().subject.run('ada', () => Promise.reject(error), going))).to.equal(
          error,
        );
        expect(await rejectionOf(() => opened().subject.run('ada', thrower, going))).to.equal(error);
      }
      await expectAllPlaces();
    });

    it('runs three tasks at once, of one owner or of several, and a fourth when one of them has ended', async () => {
      for (const wanted of [
        ['ada-1', 'ada-2', 'ada-3', 'ada-4'],
        ['ada-1', 'bob-1', 'cyd-1', 'dan-1'],
      ]) {
        const { begun, ask, end, endAll } = tasksOf(opened().subject);
        const results = wanted.map((each) => ask(each));
        await eventually('three tasks have begun', () => begun.length >= PLACES);
        await turns();
        expect(begun).to.deep.equal(wanted.slice(0, 3));
        end(wanted[1] ?? '');
        expect(await results[1]).to.equal(wanted[1]);
        await eventually('a fourth has begun', () => begun.length === 4);
        await endAll();
        expect(await Promise.all(results)).to.deep.equal(wanted);
      }
    });

    it('gives the place of a task that failed to one that waits', async () => {
      const { begun, ask, fail, endAll, results } = await taken();
      const waiting = ask('ada-1');
      const failure = rejectionOf(() => results[0] ?? Promise.resolve());
      fail('first-1', enough);
      expect(await failure).to.equal(enough);
      await eventually('the next has begun', () => begun.includes('ada-1'));
      await endAll();
      expect(await waiting).to.equal('ada-1');
    });

    it('serves those who wait in turn over their owners, each owner in the order of the calls', async () => {
      const { begun, ask, endAll } = await taken();
      const waiting = ['ada-1', 'ada-2', 'bob-1', 'cyd-1', 'ada-3', 'bob-2', 'ada-4', 'ada-5'];
      const results = waiting.map((each) => ask(each));
      await endAll();
      expect(begun.slice(PLACES)).to.deep.equal([
        'ada-1',
        'bob-1',
        'cyd-1',
        'ada-2',
        'bob-2',
        'ada-3',
        'ada-4',
        'ada-5',
      ]);
      expect(await Promise.all(results)).to.deep.equal(waiting);
    });

    it('lets who comes later wait for one task at most of each other owner', async () => {
      const { begun, ask, end, endAll } = await taken();
      const results = names('ada', 5).map((each) => ask(each));
      end('first-1');
      await eventually('the first of those who wait has begun', () => begun.length === 4);
      results.push(ask('bob-1'));
      await endAll();
      expect(begun.indexOf('bob-1')).to.be.oneOf([4, 5]);
      await Promise.all(results);
    });

    it('lets nobody come first again who was served', async () => {
      const { begun, ask, end, endAll } = await taken();
      const results = [...names('ada', 4), 'bob-1'].map((each) => ask(each));
      end('first-1');
      end('first-2');
      await eventually('each was served once', () => begun.length === 5);
      results.push(ask('bob-2'));
      await endAll();
      expect(begun.slice(3)).to.deep.equal(['ada-1', 'bob-1', 'ada-2', 'bob-2', 'ada-3', 'ada-4']);
      await Promise.all(results);
    });

    it('lets nobody overtake who comes when a place is free again', async () => {
      const { begun, ask, end, endAll, results } = await taken();
      const waiting = ask('ada-1');
      const late = results[0]?.then(() => ask('bob-1'));
      end('first-1');
      await eventually('the next has begun', () => begun.length === 4);
      await turns();
      expect(begun.slice(3)).to.deep.equal(['ada-1']);
      await endAll();
      await Promise.all([waiting, late]);
      expect(begun.slice(3)).to.deep.equal(['ada-1', 'bob-1']);
    });

    it('tells owners apart whatever their names are', async () => {
      const { begun, ask, endAll } = await taken();
      const owners = ['__proto__', 'constructor', '', ' ', 'Ada', 'ada', '1', '0'];
      const results = [1, 2].flatMap((number) => owners.map((owner) => ask(`${owner}-${number}`)));
      await endAll();
      expect(begun.slice(PLACES)).to.deep.equal(
        [1, 2].flatMap((number) => owners.map((owner) => `${owner}-${number}`)),
      );
      await Promise.all(results);
    });

    describe('where as many tasks of an owner wait as may', () => {
      const full = async () => {
        const tasks = await taken('ada');
        const waiting = Array.from({ length: WAITING_PER_OWNER }, (_, i) => tasks.ask(`ada-${PLACES + i + 1}`));
        return { ...tasks, waiting };
      };

      it('refuses one more at once, says when to come again, and never runs it', async () => {
        const { begun, ask, endAll, waiting } = await full();
        const { retryAfterMs } = await refusalOf(() => ask('ada-refused'));
        expect(retryAfterMs).to.be.within(1, 60_000);
        let isRefused = false;
        ask('ada-refused').catch(() => (isRefused = true));
        await turns();
        expect(isRefused, 'refused at once').to.equal(true);
        await endAll();
        expect(await Promise.all(waiting)).to.deep.equal(names('ada', 8).slice(PLACES));
        expect(begun).to.deep.equal(names('ada', 8));
      });

      it('lets others wait', async () => {
        const { begun, ask, endAll } = await full();
        await refusalOf(() => ask('ada-refused'));
        const others = [...names('bob', WAITING_PER_OWNER), ...names('cyd', WAITING_PER_OWNER)].map((each) =>
          ask(each),
        );
        await refusalOf(() => ask('bob-refused'));
        await endAll();
        await Promise.all(others);
        expect(begun).to.have.length(PLACES + 3 * WAITING_PER_OWNER);
      });

      it('lets as many wait again as were served or gave up', async () => {
        const { begun, ask, end, endAll } = await full();
        end('ada-1');
        await eventually('one was served', () => begun.length === 4);
        const controller = new AbortController();
        const leaving = rejectionOf(() => ask('ada-9', controller.signal));
        await refusalOf(() => ask('ada-refused'));
        controller.abort(enough);
        expect(await leaving).to.equal(enough);
        const last = ask('ada-10');
        await refusalOf(() => ask('ada-refused'));
        await endAll();
        expect(await last).to.equal('ada-10');
        expect(begun).to.deep.equal([...names('ada', 8), 'ada-10']);
        await expectAllPlaces();
      });
    });

    describe('when the signal aborts', () => {
      it('throws its reason at once if it did so before, although there is a place, and never runs the task', async () => {
        const { begun, ask } = tasksOf(opened().subject);
        for (const reason of [enough, 'a word', enough, enough]) {
          expect(await rejectionOf(() => ask('ada-1', AbortSignal.abort(reason)))).to.equal(reason);
        }
        await turns();
        expect(begun).to.be.empty;
        await expectAllPlaces();
      });

      it('throws its reason at once while the task waits, and never runs it', async () => {
        const { begun, ask, endAll } = await taken();
        const controller = new AbortController();
        const waiting = [ask('ada-1'), ask('ada-3'), ask('bob-2')];
        const leaving = [
          ask('ada-2', controller.signal),
          ask('bob-1', controller.signal),
          ask('cyd-1', controller.signal),
        ];
        controller.abort(enough);
        for (const each of leaving) expect(await rejectionOf(() => each)).to.equal(enough);
        expect(begun).to.have.length(PLACES);
        await endAll();
        await Promise.all(waiting);
        expect(begun.slice(PLACES)).to.deep.equal(['ada-1', 'bob-2', 'ada-3']);
        await expectAllPlaces();
      });

      it('throws its reason while the task waits, however many of the owner still wait', async () => {
        const { begun, ask, endAll } = await taken();
        const waits = ask('ada-1');
        expect(await rejectionOf(() => ask('ada-2', AbortSignal.abort(enough)))).to.equal(enough);
        for (let i = 0; i < 3 * WAITING_PER_OWNER; i++) {
          const controller = new AbortController();
          const leaving = rejectionOf(() => ask('ada-3', controller.signal));
          controller.abort(i);
          expect(await leaving).to.equal(i);
        }
        await endAll();
        expect(await waits).to.equal('ada-1');
        expect(begun.slice(PLACES)).to.deep.equal(['ada-1']);
      });

      it('leaves a task alone that runs', async () => {
        const { begun, ask, end, endAll } = tasksOf(opened().subject);
        const controller = new AbortController();
        const results = names('ada', 4).map((each) => ask(each, each === 'ada-4' ? going : controller.signal));
        await eventually('all places are taken', () => begun.length === PLACES);
        controller.abort(enough);
        await turns();
        expect(begun).to.deep.equal(names('ada', PLACES));
        end('ada-2');
        expect(await results[1]).to.equal('ada-2');
        await endAll();
        expect(await Promise.all(results)).to.deep.equal(names('ada', 4));
      });

      it('loses no place if it does so just when there is one', async () => {
        for (let turn = 0; turn < 8; turn++) {
          const { begun, ask, end, endAll, results } = await taken();
          const controller = new AbortController();
          const leaving = ask('ada-1', controller.signal).catch((error: unknown) => error);
          const next = ask('bob-1');
          end('first-1');
          for (let i = 0; i < turn; i++) await Promise.resolve();
          const isBegun = begun.includes('ada-1');
          controller.abort(enough);
          await turns();
          expect(begun.includes('ada-1'), `begun after ${turn} turns`).to.equal(isBegun);
          await endAll();
          expect(await leaving).to.equal(isBegun ? 'ada-1' : enough);
          expect(await Promise.all([...results, next])).to.include('bob-1');
          await expectAllPlaces();
        }
      });
    });

    it('serves all in the end, whatever they do, and never more than three at once', async () => {
      const { subject: limit } = opened();
      let running = 0;
      let most = 0;
      const served = new Map<number, number>();
      const one = async (owner: number, i: number): Promise<void> => {
        const controller = new AbortController();
        const task = async (): Promise<void> => {
          served.set(owner, (served.get(owner) ?? 0) + 1);
          most = Math.max(most, ++running);
          for (let turn = 0; turn < (i * 7) % 5; turn++) await new Promise((resolve) => setImmediate(resolve));
          running--;
          if (i % 11 === 3) throw enough;
        };
        const result = limit.run(`owner ${owner}`, task, controller.signal).catch((error: unknown) => {
          if (error !== enough) throw error;
        });
        if (i % 7 === 5) {
          await new Promise((resolve) => setImmediate(resolve));
          controller.abort(enough);
        }
        await result;
      };
      // Each owner has so many tasks under way at once, and comes again as soon as one of them has ended.
      const lanes = [1, 2, 3, 4, 5].flatMap((owner) => Array.from({ length: owner }, (_, lane) => ({ owner, lane })));
      await Promise.all(
        lanes.map(async ({ owner, lane }) => {
          for (let i = 0; i < 60; i++) await one(owner, i * 5 + lane + owner);
        }),
      );
      expect(most).to.equal(PLACES);
      // Only what was aborted, one of seven, may not have been run.
      for (const owner of [1, 2, 3, 4, 5]) expect(served.get(owner)).to.be.within(owner * 50, owner * 60);
      await expectAllPlaces();
    });
  });
