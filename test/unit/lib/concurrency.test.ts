/** The concurrency primitives, with a manual clock. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  CircuitBreaker,
  CircuitOpenError,
  DutyCycleQueue,
  QueueFullError,
  KeyedMutex,
  Semaphore,
  SingleFlight,
  TimeoutError,
  withTimeout,
} from '../../../src/lib/index.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A promise with its resolve and reject functions. */
function pending() {
  let resolve: (value: string) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<string>((onValue, onError) => {
    [resolve, reject] = [onValue, onError];
  });
  return { promise, resolve, reject };
}

/** The current state of a promise. */
async function outcome(promise: Promise<unknown>): Promise<unknown> {
  const open = Symbol('open');
  await vi.advanceTimersByTimeAsync(0);
  const settled = await Promise.race([
    promise.catch((error: unknown) => error),
    Promise.resolve(open).then((value) => value),
  ]);
  return settled === open ? 'pending' : settled;
}

describe('withTimeout', () => {
  it('settles like the work', async () => {
    await expect(withTimeout(Promise.resolve('done'), 100)).resolves.toBe('done');
    await expect(withTimeout(Promise.reject(new Error('no')), 100)).rejects.toThrow('no');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('rejects after the timeout, with the error of the caller if given', async () => {
    const plain = withTimeout(pending().promise, 100).catch((error: unknown) => error);
    const own = withTimeout(pending().promise, 100, (ms) => new RangeError(`${ms}`));
    const caught = own.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(100);
    expect(await plain).toBeInstanceOf(TimeoutError);
    expect(await caught).toEqual(new RangeError('100'));
  });
});

describe('Semaphore', () => {
  it('runs as much work concurrently as it has permits, in order', async () => {
    const semaphore = new Semaphore(2);
    const works = [pending(), pending(), pending()];
    const begun: number[] = [];
    const runs = works.map((work, index) =>
      semaphore.run(() => {
        begun.push(index);
        return work.promise;
      }, 1_000),
    );
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual([0, 1]);
    works[1]?.resolve('second');
    expect(await runs[1]).toBe('second');
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual([0, 1, 2]);
    works[0]?.resolve('first');
    works[2]?.resolve('third');
    expect(await Promise.all(runs)).toEqual(['first', 'second', 'third']);
  });

  it('never starts work without a permit in time, and keeps the permit of late work', async () => {
    const semaphore = new Semaphore(1);
    const late = pending();
    const first = semaphore.run(() => late.promise, 100).catch((error: unknown) => error);
    const begun = vi.fn<() => Promise<string>>(async () => 'begun');
    const second = semaphore.run(begun, 100).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(100);
    expect(await first).toBeInstanceOf(TimeoutError);
    expect(await second).toBeInstanceOf(TimeoutError);
    const third = semaphore.run(begun, 100).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(50);
    expect(begun).not.toHaveBeenCalled();
    late.resolve('at last');
    await vi.advanceTimersByTimeAsync(50);
    expect(await third).toBe('begun');
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('no'))],
    [
      'throws',
      (): Promise<never> => {
        throw new Error('no');
      },
    ],
  ])('releases the permit after work that %s', async (_how, work) => {
    const semaphore = new Semaphore(1);
    const failed = semaphore.run(work, 100);
    const next = semaphore.run(async () => 'yes', 100).catch((error: unknown) => error);
    await expect(failed).rejects.toThrow('no');
    await vi.advanceTimersByTimeAsync(100);
    expect(await next).toBe('yes');
  });

  it('has all its permits again after work that waited, and no timers of those that waited', async () => {
    const semaphore = new Semaphore(1);
    for (const round of ['first', 'second', 'third']) {
      const runs = [round, `${round}, waiting`].map((name) =>
        semaphore.run(async () => name, 100, undefined, null),
      );
      expect(await Promise.all(runs)).toEqual([round, `${round}, waiting`]);
      expect(vi.getTimerCount()).toBe(0);
      const works = [pending(), pending()];
      const begun: number[] = [];
      const beside = works.map((work, index) =>
        semaphore.run(() => {
          begun.push(index);
          return work.promise;
        }, 100),
      );
      await vi.advanceTimersByTimeAsync(0);
      expect(begun).toEqual([0]);
      for (const work of works) work.resolve('done');
      expect(await Promise.all(beside)).toEqual(['done', 'done']);
    }
  });
});

describe('KeyedMutex', () => {
  it('runs work of the same key sequentially, and of other keys concurrently', async () => {
    const mutex = new KeyedMutex();
    const first = pending();
    const begun: string[] = [];
    const run = (key: string, name: string, work: Promise<string>) =>
      mutex.run(key, () => {
        begun.push(name);
        return work;
      });
    const one = run('a', 'first', first.promise).catch((error: unknown) => error);
    const two = run('a', 'second', Promise.resolve('2'));
    const other = run('b', 'other', Promise.resolve('3'));
    expect(await other).toBe('3');
    expect(begun).toEqual(['first', 'other']);
    first.reject(new Error('failed'));
    expect(await one).toEqual(new Error('failed'));
    expect(await two).toBe('2');
  });

  it('lets nobody in beside the work that came before, whatever has ended meanwhile', async () => {
    const mutex = new KeyedMutex();
    const [first, second] = [pending(), pending()];
    const begun: string[] = [];
    const run = (name: string, work: Promise<string>) =>
      mutex.run('a', () => {
        begun.push(name);
        return work;
      });
    const one = run('first', first.promise);
    const two = run('second', second.promise);
    first.resolve('1');
    await one;
    const three = run('third', Promise.resolve('3'));
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['first', 'second']);
    second.resolve('2');
    expect(await Promise.all([two, three])).toEqual(['2', '3']);
  });
});

describe('SingleFlight', () => {
  it('shares a pending read, and its result for the time to live', async () => {
    const flights = new SingleFlight<string>(500, 10);
    const read = vi.fn<() => Promise<string>>(async () => 'value');
    await Promise.all([flights.run('key', read), flights.run('key', read)]);
    await flights.run('key', read);
    expect(read).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(500);
    await flights.run('key', read);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('shares no settled failure, nothing after clear, and no more keys than its capacity', async () => {
    const flights = new SingleFlight<string>(500, 1);
    const failing = vi.fn<() => Promise<string>>(() => Promise.reject(new Error('no')));
    await expect(flights.run('key', failing)).rejects.toThrow('no');
    await expect(flights.run('key', failing)).rejects.toThrow('no');
    expect(failing).toHaveBeenCalledTimes(2);
    const read = vi.fn<() => Promise<string>>(async () => 'value');
    await flights.run('a', read);
    flights.clear();
    await flights.run('a', read);
    await flights.run('b', read);
    await flights.run('a', read);
    expect(read).toHaveBeenCalledTimes(4);
  });

  it('shares only pending reads when the time to live is 0', async () => {
    const flights = new SingleFlight<string>(0, 10);
    const read = vi.fn<() => Promise<string>>(async () => 'value');
    await Promise.all([flights.run('key', read), flights.run('key', read)]);
    await flights.run('key', read);
    expect(read).toHaveBeenCalledTimes(2);
  });
});

describe('CircuitBreaker', () => {
  it('opens after a timeout and closes when the late request settles', async () => {
    const breaker = new CircuitBreaker();
    const late = pending();
    const first = breaker.run(() => late.promise, 100).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(100);
    expect(await first).toBeInstanceOf(TimeoutError);
    expect(breaker.isOpen).toBe(true);
    const send = vi.fn<() => Promise<string>>(async () => 'answer');
    await expect(breaker.run(send, 100)).rejects.toThrow(CircuitOpenError);
    expect(send).not.toHaveBeenCalled();
    late.resolve('at last');
    await vi.advanceTimersByTimeAsync(0);
    expect(await breaker.run(send, 100)).toBe('answer');
    expect(breaker.answeredWithin(1_000)).toBe(true);
    await vi.advanceTimersByTimeAsync(1_001);
    expect(breaker.answeredWithin(1_000)).toBe(false);
  });

  it('stays closed after an error of the server', async () => {
    const breaker = new CircuitBreaker();
    await expect(breaker.run(() => Promise.reject(new Error('no')), 100)).rejects.toThrow('no');
    expect(breaker.isOpen).toBe(false);
  });
});

describe('DutyCycleQueue', () => {
  it('pauses for as long as the previous work took', async () => {
    const queue = new DutyCycleQueue(2);
    const slow = queue.run(() => {
      vi.setSystemTime(Date.now() + 50);
      vi.advanceTimersByTime(50);
      return 'slow';
    });
    const next = queue.run(() => 'next');
    await vi.advanceTimersByTimeAsync(0);
    expect(await slow).toBe('slow');
    expect(await outcome(next)).toBe('pending');
    await vi.advanceTimersByTimeAsync(50);
    expect(await next).toBe('next');
  });

  it('continues after work that fails', async () => {
    const queue = new DutyCycleQueue(1);
    const failed = queue.run(() => {
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    await expect(queue.run(() => 'yes')).resolves.toBe('yes');
  });

  it('refuses work beyond its limit, and has room again when work has ended', async () => {
    const queue = new DutyCycleQueue(2);
    const accepted = [queue.run(() => 1), queue.run(() => 2)];
    await expect(queue.run(() => 3)).rejects.toThrow(QueueFullError);
    expect(await Promise.all(accepted)).toEqual([1, 2]);
    await expect(queue.run(() => 4)).resolves.toBe(4);
  });
});
