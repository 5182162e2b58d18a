export { createApp } from './app.ts';
export { serve, type Served } from './serve.ts';
