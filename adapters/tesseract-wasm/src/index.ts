export * from './open-tesseract-wasm.ts';
export * from './tesseract-wasm-engine.ts';
