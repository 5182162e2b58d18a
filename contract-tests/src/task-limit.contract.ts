import type { TaskLimit } from '@palimpsest/core';
import { expect } from 'chai';
import { eventually, rejectionOf } from './expectations.ts';
import { openForEach, type Open } from './harness.ts';

/** Lets everything go on that could go on without the tasks ending. */
const turns = async (): Promise<void> => {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
};

/** A task that has begun or not, and ends when it is told to. */
const task = (log: string[], name: string) => {
  const gate = Promise.withResolvers<string>();
  return {
    end: () => gate.resolve(name),
    fail: (error: unknown) => gate.reject(error),
    run: () => {
      log.push(name);
      return gate.promise;
    },
  };
};

/** What every `TaskLimit` promises. `open` gives one with three places. */
export const describeTaskLimit = (name: string, open: Open<TaskLimit>): void =>
  void describe(`${name}, a TaskLimit`, () => {
    const opened = openForEach(open);

    it('resolves as the task does', async () => {
      const result = { any: 'thing' };
      expect(await opened().subject.run(() => Promise.resolve(result))).to.equal(result);
      expect(await opened().subject.run(() => Promise.resolve(undefined))).to.equal(undefined);
    });

    it('throws as the task does, also where that throws at once', async () => {
      const error = new Error('the task failed');
      expect(await rejectionOf(() => opened().subject.run(() => Promise.reject(error)))).to.equal(error);
      const thrower = (): Promise<void> => {
        throw error;
      };
      expect(await rejectionOf(() => opened().subject.run(thrower))).to.equal(error);
    });

    it('runs three tasks at once and a fourth when one of them has ended', async () => {
      const { subject: limit } = opened();
      const log: string[] = [];
      const tasks = ['a', 'b', 'c', 'd', 'e'].map((letter) => task(log, letter));
      const results = tasks.map((each) => limit.run(each.run));
      await eventually('three tasks have begun', () => log.length >= 3);
      await turns();
      expect(log).to.deep.equal(['a', 'b', 'c']);
      tasks[1]?.end();
      expect(await results[1]).to.equal('b');
      await eventually('a fourth has begun', () => log.length >= 4);
      await turns();
      expect(log).to.deep.equal(['a', 'b', 'c', 'd']);
      for (const each of tasks) each.end();
      expect(await Promise.all(results)).to.deep.equal(['a', 'b', 'c', 'd', 'e']);
    });

    it('frees the place of a task that failed', async () => {
      const { subject: limit } = opened();
      for (let i = 0; i < 10; i++) await rejectionOf(() => limit.run(() => Promise.reject(new Error('failed'))));
      const log: string[] = [];
      const tasks = ['a', 'b', 'c', 'd'].map((letter) => task(log, letter));
      const results = tasks.map((each) => limit.run(each.run));
      await eventually('three tasks have begun', () => log.length >= 3);
      const failure = rejectionOf(() => results[0] ?? Promise.resolve());
      tasks[0]?.fail(new Error('failed'));
      await failure;
      await eventually('a fourth has begun', () => log.length >= 4);
      for (const each of tasks.slice(1)) each.end();
      expect(await Promise.all(results.slice(1))).to.deep.equal(['b', 'c', 'd']);
    });

    it('begins tasks in the order of the calls, and never more than three', async () => {
      const { subject: limit } = opened();
      const begun: number[] = [];
      let running = 0;
      let most = 0;
      const results = Array.from({ length: 100 }, (_, i) =>
        limit.run(async () => {
          begun.push(i);
          most = Math.max(most, ++running);
          for (let turn = 0; turn < (i * 7) % 5; turn++) await new Promise((resolve) => setImmediate(resolve));
          running--;
          return i;
        }),
      );
      const numbers = Array.from({ length: 100 }, (_, i) => i);
      expect(await Promise.all(results)).to.deep.equal(numbers);
      expect(begun).to.deep.equal(numbers);
      expect(most).to.equal(3);
    });

    it('lets nobody overtake who comes when a place is free again', async () => {
      const { subject: limit } = opened();
      const log: string[] = [];
      const tasks = ['a', 'b', 'c', 'waiting'].map((letter) => task(log, letter));
      const results = tasks.map((each) => limit.run(each.run));
      await eventually('three tasks have begun', () => log.length >= 3);
      const late = task(log, 'late');
      const lateResult = results[0]?.then(() => limit.run(late.run));
      tasks[0]?.end();
      await eventually('the next has begun', () => log.length >= 4);
      await turns();
      expect(log[3]).to.equal('waiting');
      for (const each of [...tasks, late]) each.end();
      await Promise.all([...results, lateResult]);
      expect(log).to.deep.equal(['a', 'b', 'c', 'waiting', 'late']);
    });
  });
