/**
 * Cursors that earlier versions have made go on: the texts below were written by the version that they name, and are
 * never adapted. A change that refuses them breaks what docs/compatibility.md promises.
 */

import { describe, expect, it } from 'vitest';
import { type CompiledQueryRules, defineQueryRules, planQuery } from '../../../src/index.ts';
import { shopRegistry } from './shop.ts';

const rulesWith = (settings: object): CompiledQueryRules =>
  defineQueryRules(
    shopRegistry,
    'article',
    {
      filters: [
        { path: 'stock', operators: ['gte', 'isNull'] },
        { path: 'state', operators: ['in'] },
        { path: 'maker.name', operators: ['ilike'] },
      ],
      sorts: ['name', 'price', 'changedAt'],
      search: ['name'],
      fields: { root: { allowed: ['id', 'name', 'price', 'changedAt'], default: ['id'] } },
      pagination: { mode: 'keyset' },
    },
    settings,
  );

const rules = {
  readable: rulesWith({}),
  sealed: rulesWith({ cursorKeys: 'a secret of the kept cursors, which has 32 characters' }),
};

const requests = {
  order: 'sort=name,-price',
  filters: 'sort=-changedAt&filter[stock][gte]=3&filter[state][in]=new,used&search=tea',
  relation: 'filter[maker.name][ilike]=acme&filter[stock][isNull]=false',
} as const;

const positions = {
  order: ['Größe 7', '12.5', 7],
  filters: ['2026-01-31T12:00:00.000Z', 8],
  relation: [9],
} as const;

interface Kept {
  readonly version: string;
  readonly form: keyof typeof rules;
  readonly request: keyof typeof requests;
  readonly cursor: string;
}

const kept: readonly Kept[] = [
  {
    version: '0.1.0',
    form: 'readable',
    request: 'order',
    cursor: 'MTU4MzM4MDM5MXg4NDg4MDU3MDkuYVsiR3LDtsOfZSA3IiwiMTIuNSIsIjciXQ',
  },
  {
    version: '0.1.0',
    form: 'readable',
    request: 'filters',
    cursor: 'MTg2MjM2ODE0NHg3NDY4NDI1OTQuYVsiMjAyNi0wMS0zMVQxMjowMDowMC4wMDBaIiwiOCJd',
  },
  {
    version: '0.1.0',
    form: 'readable',
    request: 'relation',
    cursor: 'MTI0NTk0NjkyNXg4NzAxMDUzMzguYVsiOSJd',
  },
  {
    version: '0.1.0',
    form: 'sealed',
    request: 'order',
    cursor: 'AoEpUXfrUvyP-Dg1VWj6SwNdEN8j8YWQKk4JZIFTO01yYUpVOJLdT7TJEvbPDs5UmpwCwxni',
  },
  {
    version: '0.1.0',
    form: 'sealed',
    request: 'filters',
    cursor: 'AiSB929LD1ScqCgm6JvTJO3YDoIXOoTdgVbdWCt3EKMUQz1bG2yuPVIikQhctjJXfHIE1P1UR_6V-6B82Xs',
  },
  {
    version: '0.1.0',
    form: 'sealed',
    request: 'relation',
    cursor: 'AjDHyA9zHUE-lRd-QYTkailE3k_bV0Bx0O7mTmsLSyC--jU',
  },
];

describe.each(kept)('the $form cursor of $version for $request', ({ form, request, cursor }) => {
  it('goes on at its row', () => {
    const { page } = planQuery(`${requests[request]}&cursor=${cursor}`, rules[form]);
    expect(page).toMatchObject({ position: { direction: 'after', values: positions[request] } });
  });
});
