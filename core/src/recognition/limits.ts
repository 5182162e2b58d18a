/** Limits on one piece of decoding work. What passes one ends in an `AppError`, never in a dead process. */
export interface DecodeLimits {
  readonly maxPixels: number; // of one page image
  readonly timeoutMs: number; // for one call
}

/** What recognition of one page may use. */
export interface RecognitionLimits {
  readonly language: string; // Tesseract language string
  readonly maxPixels: number; // of an enlarged image
  readonly pageTimeoutMs: number; // for all passes together
}
