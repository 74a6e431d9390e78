import { DomainError } from '../../core/errors.ts';
import { write } from '../../dynamo/write.ts';
import { observeContract } from '../contracts/observe-contract.ts';
import { EventChanged, getEvent, scheduleContractCheck } from './store.ts';

/**
 * Reads the transfer rule of an event's contract from the chain and stores it. The event then shows whether its own rule
 * is the same. The sweep queues a check after each change of the event, and when its sale begins.
 */
export async function checkContract(eventId: string): Promise<void> {
  try {
    const event = await getEvent(eventId);
    const { contractAddress, chainId } = event;
    if (contractAddress !== null) await observeContract(chainId, contractAddress);
    await write(scheduleContractCheck(event, Date.now()));
  } catch (error) {
    // The event was changed, which queues another check, or deleted.
    const isGone = error instanceof DomainError && error.code === 'event-not-found';
    if (!(error instanceof EventChanged) && !isGone) throw error;
  }
}
