import { observeContract } from '../contracts/observe-contract.ts';
import { DomainError } from '../core/errors.ts';
import { write } from '../dynamo/write.ts';
import { EventChanged, getEvent, scheduleContractCheck } from './store.ts';

/**
 * Records what an event's contract looks like, so that the event shows whether transfers are allowed there as the event
 * says. The sweep asks for it after each change of the event, and when its sale begins.
 */
export async function checkContract(eventId: string): Promise<void> {
  try {
    const event = await getEvent(eventId);
    const { contractAddress, chainId } = event;
    if (contractAddress !== null) await observeContract(chainId, contractAddress);
    await write(scheduleContractCheck(event, Date.now()));
  } catch (error) {
    // Another change of the event asked for a check of its own, or the event is gone.
    const isGone = error instanceof DomainError && error.code === 'event-not-found';
    if (!(error instanceof EventChanged) && !isGone) throw error;
  }
}
