export { HttpError, ok } from '@oazapfts/runtime';
export * from './api.ts';
