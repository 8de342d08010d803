/** The place of the providers of `@opentelemetry/api`, in the oldest and the newest version that is known. */

import { describe, expect, it } from 'vitest';
import { providersOf } from '../../src/lib/foreign.ts';
import { inSpan, isTraced } from '../../src/lib/index.ts';
import { installed } from './versions.ts';

describe.each(installed('@opentelemetry/api-1.0', '@opentelemetry/api'))(
  '@opentelemetry/api $version',
  ({ module }) => {
    it('shows the provider of traces', async () => {
      const { trace } = module<typeof import('@opentelemetry/api')>();
      const names: string[] = [];
      const tracer = {
        startSpan: () => undefined as never,
        startActiveSpan: (name: string, _options: object, work: (span: object) => unknown) => {
          names.push(name);
          return work({ setAttributes: () => undefined, end: () => undefined });
        },
      };
      expect(isTraced()).toBe(false);
      trace.setGlobalTracerProvider({ getTracer: () => tracer as never });
      expect([isTraced(), providersOf(globalThis)]).toEqual([true, expect.any(Object)]);
      await inSpan('list city', {}, async () => undefined);
      expect(names).toEqual(['list city']);
      trace.disable();
      // Only copies of one version may register in a process.
      const kept = providersOf(globalThis);
      for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
        if (Reflect.get(globalThis, symbol) === kept) Reflect.deleteProperty(globalThis, symbol);
      }
      expect(isTraced()).toBe(false);
    });
  },
);
