import type { FaultLog } from '@palimpsest/core';

/** Stores all reports, in order. */
export class MemoryFaultLog implements FaultLog {
  readonly reports: { readonly error: unknown; readonly doing: string }[] = [];

  report(error: unknown, doing: string): void {
    this.reports.push({ error, doing });
  }
}
