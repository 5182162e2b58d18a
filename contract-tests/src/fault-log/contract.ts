import type { FaultLog } from '@palimpsest/core';
import { expect } from 'chai';
import { openForEach, type Open } from '../kit/harness.ts';

/** A fault log and its content: one text for each report, in order. */
export interface ReadableFaultLog {
  readonly log: FaultLog;
  readonly read: () => readonly string[];
}

const circular = (): Error => {
  const error: Error & { self?: unknown } = new Error('a circular error');
  error.self = error;
  return error;
};

const unreadable = (): object =>
  new Proxy(
    {},
    {
      get: () => {
        throw new Error('no property can be read');
      },
    },
  );

/** Tests every promise of `FaultLog`. */
export const describeFaultLog = (name: string, open: Open<ReadableFaultLog>): void =>
  void describe(`${name}, a FaultLog`, () => {
    const opened = openForEach(open);

    it('is empty before the first report', () => {
      expect(opened().subject.read()).to.deep.equal([]);
    });

    it('records each error with the action that failed, in order', () => {
      const { log, read } = opened().subject;
      log.report(new Error('the disk is full'), 'removing a file');
      log.report(new TypeError('no such job'), 'queueing a job');
      log.report(new Error('the disk is full'), 'sending a mail');
      log.report(new Error('the disk is full'), 'removing a file');
      const lines = read();
      expect(lines).to.have.length(4);
      expect(lines[0]).to.include('the disk is full').and.include('removing a file');
      expect(lines[1]).to.include('no such job').and.include('queueing a job');
      expect(lines[2]).to.include('the disk is full').and.include('sending a mail');
    });

    it('does not throw for any reported value', () => {
      const { log, read } = opened().subject;
      const faults = [
        undefined,
        null,
        'a text',
        7,
        circular(),
        Object.create(null),
        unreadable(),
        Symbol('odd'),
        new AggregateError([circular()]),
      ];
      for (const fault of faults) log.report(fault, 'reporting unusual values');
      expect(read()).to.have.length(faults.length);
      for (const line of read()) expect(line).to.include('reporting unusual values');
    });
  });
