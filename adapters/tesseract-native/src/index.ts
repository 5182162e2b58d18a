export * from './open-tesseract-native.ts';
export type * from './tesseract-native-engine.ts';
