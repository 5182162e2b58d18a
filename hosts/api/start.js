import '../require-node.js';

await import('./src/main.ts');
