import { describe, expect, it } from 'vitest';
import { mysql, postgresql, sqlite } from '../../../src/relational/index.ts';
import { planQuery } from '../../../src/index.ts';
import type { CompiledQueryRules, OperatorName, Predicate } from '../../../src/index.ts';
import { encodeCursor } from '../../../src/rules/plan/cursor/cursor.ts';
import { shopContext, shopRules } from './shop-tables.ts';
import { statementsOf, written } from './statements.ts';

const offset = shopRules();
const keyset = shopRules({ mode: 'keyset' });

/** A request with a cursor that stands at the given row. */
function at(
  request: string,
  direction: 'after' | 'before',
  values: readonly (string | null)[],
  inclusive = false,
): string {
  const { page } = planQuery(request, keyset);
  const binding = page.mode === 'keyset' ? page.binding : '';
  return `${request}&cursor=${encodeCursor(keyset, binding, direction, inclusive, values)}`;
}

interface Example {
  readonly requests: readonly string[];
  readonly rules?: CompiledQueryRules;
  readonly scope?: object;
}

const condition = (
  path: string,
  operator: OperatorName,
  value: number | readonly number[],
): Predicate => ({ type: 'condition', path, operator, value });

interface Tenant {
  readonly tenant: number;
}

/** Scopes of fields of the model itself, through `one` and `many` relations, and that an absent relation meets. */
const scoped = shopRules(
  {},
  {
    article: ({ tenant }: Tenant) => ({
      type: 'or',
      predicates: [
        condition('serial', 'eq', tenant),
        condition('maker.id', 'eq', tenant),
        condition('maker.name', 'notIn', []),
      ],
    }),
    maker: ({ tenant }: Tenant) => condition('articles.maker.articles.stock', 'eq', tenant),
    label: 'unscoped',
    line: ({ tenant }: Tenant) => condition('parts.id', 'eq', tenant),
    part: ({ tenant }: Tenant) => condition('id', 'in', [tenant, tenant + 1]),
  },
);

/** The requests of each file under `expected/`, which holds their statements in the three families. */
const examples: Readonly<Record<string, Example>> = {
  plain: { requests: ['', 'page=3&perPage=5', 'paginate=false'] },
  equality: {
    requests: [
      'filter[name]=a&filter[stock][ne]=1&filter[sold]=true&filter[serial]=9007199254740993',
      'filter[code]=6BA7B810-9DAD-11D1-80B4-00C04FD430C8&filter[state]=new&filter[day]=2024-02-29',
    ],
  },
  lists: {
    requests: [
      'filter[name][in]=a,b,c&filter[serial][notIn]=1,2',
      'filter[name][in]=&filter[stock][notIn]=',
      'filter[price][in]=1.50,0.1234567890123456789&filter[sold][in]=1,0',
    ],
  },
  order: {
    requests: [
      'filter[stock][gt]=1&filter[serial][gte]=2&filter[price][lt]=3.5&filter[day][lte]=2024-02-29',
      'filter[price][between]=1,1.00000000000000001&filter[name][between]=a,b',
      'filter[changedAt][gt]=2024-03-04T05:06:07.123456Z',
      'filter[code][gt]=6ba7b810-9dad-11d1-80b4-00c04fd430c8',
    ],
  },
  text: {
    requests: [
      'filter[name][like]=50%25_%5C!*?[a]&filter[name][notLike]=b',
      'filter[name][ilike]=%C3%89T%C3%89&filter[name][notIlike]=x',
      'filter[code][like]=6ba7&filter[state][like]=ne',
    ],
  },
  nulls: { requests: ['filter[stock][isNull]=true&filter[changedAt][isNull]=false'] },
  'one-relation': {
    requests: [
      'filter[maker.name]=Ada&sort=-maker.name&includes=maker',
      'filter[maker][isNull]=true&filter[maker.name][notLike]=b',
    ],
  },
  'many-relation': {
    requests: [
      'filter[lines.amount][gte]=3',
      'filter[labels.text]=red&filter[labels.text][notLike]=b',
      'filter[labels][isNull]=true',
      'filter[stock]=7&filter[labels.text]=red',
    ],
  },
  'three-hops': {
    requests: ['filter[maker.articles.labels.text]=red', 'filter[lines.parts.text][like]=a_b'],
  },
  search: { requests: ['search=Ada&filter[stock][gt]=1'] },
  sorts: {
    requests: ['sort=name,-price,code', 'sort=changedAt', 'sort=-changedAt', 'sort=-stock'],
  },
  includes: {
    requests: [
      'includes=maker,maker.articles,labels&fields=name,maker.id,maker.name',
      'includes=lines,lines.parts',
    ],
  },
  select: { requests: ['fields=id,serial,price,changedAt,extra,code'] },
  'count-capped': { requests: ['filter[name]=a'], rules: shopRules({ count: { capped: 100 } }) },
  'count-none': { requests: ['filter[name]=a&page=2'], rules: shopRules({ count: 'none' }) },
  scopes: {
    requests: [
      'filter[maker.name]=Ada&sort=maker.name&includes=maker,maker.articles,lines&fields=id,maker.id',
      'filter[labels][isNull]=true&filter[lines.parts.text][like]=a&includes=lines,lines.parts',
    ],
    rules: scoped,
    scope: { tenant: 7 },
  },
  'keyset-one-direction': {
    requests: [
      'sort=name',
      at('sort=name,price', 'after', ['a', '1.5', '7']),
      at('sort=name,price', 'before', ['a', '1.5', '7']),
      at('sort=name', 'after', ['a', '7'], true),
      at('', 'after', ['7']),
      at('', 'before', ['7'], true),
    ],
    rules: keyset,
  },
  'keyset-mixed': {
    requests: [
      at('sort=-price,name', 'after', ['1.5', 'a', '7']),
      at('sort=-price,name', 'before', ['1.5', 'a', '7']),
      at('sort=-price,name', 'after', ['1.5', 'a', '7'], true),
      at('sort=code,-serial', 'after', ['6ba7', '9007199254740993', '7']),
    ],
    rules: keyset,
  },
  'keyset-nulls': {
    requests: [
      at('sort=changedAt', 'after', ['2024-03-04T05:06:07.123Z', '7']),
      at('sort=changedAt', 'after', [null, '7']),
      at('sort=changedAt', 'before', ['2024-03-04T05:06:07.123Z', '7']),
      at('sort=changedAt', 'before', [null, '7']),
      at('sort=-changedAt', 'after', [null, '7']),
      at('sort=stock,-changedAt', 'after', ['5', '2024-03-04T05:06:07.123Z', '7']),
      at('sort=maker.name', 'after', ['Ada', '7'], true),
      at('sort=maker.name', 'before', [null, '7'], true),
    ],
    rules: keyset,
  },
};

const families = { postgresql, mysql, sqlite };

describe('the statements of a request, exactly, in the three families', () => {
  for (const [name, { requests, rules = offset, scope }] of Object.entries(examples)) {
    it(`of expected/${name}.sql`, async () => {
      const lines = requests.flatMap((request) => {
        const plan = planQuery(request, rules, { scope });
        const shown = request.replace(/cursor=.*/, () =>
          plan.page.mode === 'keyset' ? JSON.stringify(plan.page.position) : '',
        );
        return [
          `-- ${shown === '' ? '(nothing asked)' : shown}`,
          ...Object.entries(families).flatMap(([family, dialect]) =>
            statementsOf(shopContext(dialect), plan).flatMap(({ name: of, text, values }) => [
              `-- ${family}, ${of}: ${written(values)}`,
              `${text};`,
            ]),
          ),
          '',
        ];
      });
      await expect(lines.join('\n')).toMatchFileSnapshot(`expected/${name}.sql`);
    });
  }
});

describe('values in the form a column stores', () => {
  const bound = (request: string, storage: Parameters<typeof shopContext>[1]) =>
    statementsOf(shopContext(sqlite, storage), planQuery(request, offset))[0]?.values;
  const instant = '2024-03-04T05:06:07.123456Z';

  it('an instant as seconds, milliseconds or text', () => {
    const values = (form: 'epoch-seconds' | 'epoch-milliseconds' | 'iso-text', operator: string) =>
      bound(`filter[changedAt][${operator}]=${instant}`, { storage: { datetime: form } })?.[0];
    for (const operator of ['gt', 'lte']) {
      expect(values('epoch-seconds', operator)).toBe(1_709_528_767.123);
      expect(values('epoch-milliseconds', operator)).toBe(1_709_528_767_123);
    }
    for (const operator of ['lt', 'gte']) {
      expect(values('epoch-seconds', operator)).toBe(1_709_528_767.124);
      expect(values('epoch-milliseconds', operator)).toBe(1_709_528_767_124);
    }
    expect(values('epoch-milliseconds', 'eq')).toBe(1_709_528_767_123.5);
    expect(values('iso-text', 'gt')).toBe('2024-03-04T05:06:07.123Z');
    expect(values('iso-text', 'lte')).toBe('2024-03-04T05:06:07.123Z');
    expect(values('iso-text', 'gte')).toBe('2024-03-04T05:06:07.124Z');
    expect(values('iso-text', 'lt')).toBe('2024-03-04T05:06:07.124Z');
    expect(values('iso-text', 'eq')).toBe(instant);
    const whole = 'filter[changedAt]=2024-03-04T05:06:07Z';
    expect(bound(whole, { storage: { datetime: 'epoch-seconds' } })?.[0]).toBe(1_709_528_767);
    expect(bound(whole, { storage: { datetime: 'epoch-milliseconds' } })?.[0]).toBe(
      1_709_528_767_000,
    );
    expect(bound(whole, { storage: { datetime: 'iso-text' } })?.[0]).toBe(
      '2024-03-04T05:06:07.000Z',
    );
  });

  it('a decimal kept as text as its canonical text', () => {
    const text = '0.1234567890123456789';
    expect(bound(`filter[price]=${text}0`, { storage: { decimal: 'numeric-text' } })?.[0]).toBe(
      text,
    );
    expect(bound(`filter[price]=${text}`, {})?.[0]).toBe(Number.MAX_VALUE);
  });
});
