/** Functions of the host that fail together: the request fails once, and no rejection is left over. */

import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itemEndpoint, listEndpoint } from '../../src/http/fetch/index.ts';
import { tileRules, tileSource } from './tiles.ts';

const left: unknown[] = [];
const note = (error: unknown): void => void left.push(error);
beforeEach(() => void process.on('unhandledRejection', note));
afterEach(() => void process.off('unhandledRejection', note));

const thrown = (): never => {
  throw new Error('thrown');
};
const rejected = async (): Promise<never> => {
  await turn();
  throw new Error('rejected');
};

it('a source that a function chooses must be one of the rules', async () => {
  const { model: _model, ...rest } = tileSource();
  const told: unknown[] = [];
  const endpoint = listEndpoint(
    { source: () => ({ ...rest, model: 'other' }), rules: tileRules },
    { onError: (error) => told.push(error) },
  );
  const answer = await endpoint(new Request('http://tiles.test/tiles'), {});
  expect([answer.status, await answer.json()]).toMatchObject([
    500,
    { code: 'SOURCE_CONFIGURATION_INVALID' },
  ]);
  expect(told).toHaveLength(1);
});

describe.each(['source', 'options', 'scope'] as const)('%s that rejects', (one) => {
  it.each((['source', 'options', 'scope'] as const).filter((other) => other !== one))(
    'beside %s that throws',
    async (other) => {
      const config = { source: tileSource(), rules: tileRules, [one]: rejected, [other]: thrown };
      for (const endpoint of [listEndpoint(config), itemEndpoint(config)]) {
        const request = new Request('http://tiles.test/tiles');
        await expect(endpoint(request, {})).rejects.toThrow('thrown');
        for (let turns = 0; turns < 5; turns += 1) await turn();
      }
      expect(left).toEqual([]);
    },
  );
});
