/** The values of two jobs by their paths, of which each counts that differs. */

import { expect, it } from 'vitest';
import { valuesOf } from '../../src/dashboard/course/values.ts';

it('tells numbers as they are written', () => {
  const text = '{"id":9007199254740993,"sum":[1.10,-2e400],"text":"9007199254740993"}';
  expect(valuesOf('data', text)).toEqual([
    ['data.id', '9007199254740993'],
    ['data.sum.0', '1.10'],
    ['data.sum.1', '-2e400'],
    ['data.text', '"9007199254740993"'],
  ]);
});

it('tells members with names of any kind apart', () => {
  const text = '{"a.b":1,"a":{"b":2},"":3,"__proto__":{"x":4},"[0]":[]}';
  expect(valuesOf('data', text)).toEqual([
    ['data["a.b"]', '1'],
    ['data.a.b', '2'],
    ['data[""]', '3'],
    ['data.__proto__.x', '4'],
    ['data["[0]"]', '[]'],
  ]);
});

it('has at most 200 values, and the text of what is not JSON', () => {
  const many = JSON.stringify({ many: Array.from({ length: 201 }, (_, at) => at), one: 1.5 });
  const [first, second] = valuesOf('data', many);
  expect(first?.[0]).toBe('data.many');
  expect(first?.[1]).toBe(JSON.stringify(Array.from({ length: 201 }, (_, at) => at)));
  expect(second).toEqual(['data.one', '1.5']);
  expect(valuesOf('data', '{"a":')).toEqual([['data', '{"a":']]);
  expect(valuesOf('data', undefined)).toEqual([]);
});
