export * from './xlsx-exporter.ts';
