/** The limits of one decoding call. Exceeding one throws an `AppError` and never ends the process. */
export interface DecodeLimits {
  readonly maxPixels: number; // of one page image
  readonly timeoutMs: number; // for one call
}

/** The limits of the recognition of one page. */
export interface RecognitionLimits {
  readonly language: string; // Tesseract language string
  readonly maxPixels: number; // of an enlarged image
  readonly pageTimeoutMs: number; // for all passes together
}
