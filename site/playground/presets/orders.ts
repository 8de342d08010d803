/** Keyset pages, dates, decimals and quantifiers. */

import type { Preset } from './preset.ts';

export const orders: Preset = {
  name: 'orders',
  title: 'Orders',
  tables: `create table customers (
  id integer primary key,
  name text not null,
  country text not null
);
create table orders (
  id integer primary key,
  state text not null,
  placed_on date not null,
  total decimal(10, 2) not null,
  customer_id integer not null references customers (id)
);
create table lines (
  order_id integer not null references orders (id),
  line_no integer not null,
  product text not null,
  quantity integer not null,
  primary key (order_id, line_no)
);
create index orders_by_total on orders (total, id);

insert into customers values
  (1, 'Ñusta', 'Peru'), (2, 'Óscar', 'Chile'), (3, 'Zoë', 'Kenya');
with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 500)
insert into orders
select n, iif(n % 3 = 0, 'open', iif(n % 7 = 0, 'failed', 'shipped')),
  date('2026-01-01', '+' || (n * 37 % 330) || ' days'), (n * 7919 % 100000) / 100.0, 1 + n % 3
from numbers;
insert into lines
select id, 1, iif(id % 2, 'tea', 'coffee'), 1 + id % 12 from orders
union all
select id, 2, 'sugar', 1 + id % 5 from orders where id % 4 = 0;
`,
  rules: `{
  orders: {
    filters: [
      { path: 'state', operators: ['eq', 'ne', 'in'] },
      { path: 'placedOn', operators: ['gte', 'lte', 'between'] },
      { path: 'total', operators: ['gte', 'lte', 'between'] },
      { path: 'customer.name', operators: ['eq', 'istartsWith'] },
      { path: 'customer.country', operators: ['eq', 'in'] },
      { path: 'lines.product', operators: ['eq', 'in'] },
      { path: 'lines.quantity', operators: ['gte'] },
    ],
    // filter[lines][$some][product]=tea&filter[lines][$some][quantity][gte]=10
    quantifiers: ['lines'],
    sorts: ['id', 'total', 'placedOn'],
    includes: ['customer', 'lines'],
    fields: {
      root: 'all',
      relations: {
        customer: { allowed: ['name', 'country'], default: ['name'] },
        lines: { allowed: ['product', 'quantity'], default: ['product', 'quantity'] },
      },
    },
    pagination: { mode: 'both', count: 'capped' },
  },
}
`,
  requests: [
    {
      title: 'Keyset pages',
      list: 'orders',
      query: 'sort=-total&cursor=&perPage=10&includes=customer',
    },
    {
      title: 'One line that meets both filters',
      list: 'orders',
      query:
        'filter[lines][$some][product]=tea&filter[lines][$some][quantity][gte]=10&includes=lines&perPage=5',
    },
    {
      title: 'Between two days',
      list: 'orders',
      query: 'filter[placedOn][between]=2026-03-01,2026-03-31&filter[state]=open&sort=placedOn',
    },
    {
      title: 'Some text in any case',
      list: 'orders',
      query: 'filter[customer.name][istartsWith]=ZO&sort=-placedOn&fields=id,placedOn&perPage=5',
    },
    { title: 'A cursor that is not one', list: 'orders', query: 'sort=-total&cursor=abc' },
  ],
};
