import { documentClient } from '../../shared/dynamo/read.ts';
import { callLimits } from '../../shared/runtime/retry.ts';

/** Longer than a busy machine delays a request, in milliseconds. */
const timeoutMilliseconds = 60_000;

interface NodeHttpHandler {
  updateHttpClientConfig(key: 'connectionTimeout' | 'requestTimeout', value: number): void;
}

/**
 * Extends the timeouts of this process's requests to the table, and the deadline after which `retry` aborts them. The
 * client counts the wait for one of its 50 connections as a part of the connection timeout of 1 s. A test with hundreds
 * of concurrent requests on a busy machine would exceed it, and use up the SDK's retries. A test that lets other work
 * happen before a request would exceed the deadline.
 */
export function extendTableTimeouts(): void {
  const handler = documentClient().config.requestHandler as unknown as NodeHttpHandler;
  handler.updateHttpClientConfig('connectionTimeout', timeoutMilliseconds);
  handler.updateHttpClientConfig('requestTimeout', timeoutMilliseconds);
  callLimits.deadlineMilliseconds = timeoutMilliseconds;
}
