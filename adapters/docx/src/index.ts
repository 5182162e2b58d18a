export * from './docx-exporter.ts';
