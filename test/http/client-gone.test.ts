/** The signal that a list endpoint gives a source when a client leaves. */

import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ClientGone, signalFor } from '../../src/http/endpoint/handlers.ts';

class Response extends EventEmitter {
  closed = false;
}

describe('the disconnect of a client', () => {
  it('is a signal for a source that needs one', () => {
    const response = new Response();
    const gone = new ClientGone(response);
    const signal = signalFor({}, gone);
    expect(signal).toBeInstanceOf(AbortSignal);
    expect(signal.aborted).toBe(false);
    response.emit('close');
    expect(signal.aborted).toBe(true);
    expect(gone.reason).toBe(signal.reason);
  });

  it('has the members of a signal that other sources use', () => {
    const response = new Response();
    const gone = new ClientGone(response);
    const signal = signalFor({ usesBasicSignal: true }, gone);
    const told: string[] = [];
    const removed = (): void => void told.push('removed');
    signal.addEventListener('abort', () => told.push('first'));
    signal.addEventListener('abort', removed);
    signal.addEventListener('abort', () => told.push('second'));
    signal.removeEventListener('abort', removed);
    signal.throwIfAborted();
    expect(signal.aborted).toBe(false);
    response.emit('close');
    expect(told).toEqual(['first', 'second']);
    expect(signal.aborted).toBe(true);
    expect(() => signal.throwIfAborted()).toThrow(expect.objectContaining({ name: 'AbortError' }));
  });

  it('is known where the client has left before, and not told after the end', () => {
    const left = new Response();
    left.closed = true;
    expect(new ClientGone(left).aborted).toBe(true);
    const response = new Response();
    const gone = new ClientGone(response);
    gone.end();
    response.emit('close');
    expect(gone.aborted).toBe(false);
    expect(response.listenerCount('close')).toBe(0);
  });
});
