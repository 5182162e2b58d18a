/** A fault on a page, with the page number: `afterFault` counts the faults of each page. */
export class PageFault extends Error {
  readonly pageNumber: number;

  constructor(pageNumber: number, cause: unknown) {
    super(`page ${pageNumber}`, { cause });
    this.pageNumber = pageNumber;
  }
}
