/** Fields over a JSON text: what one writes, what stays as it was, and which members have a field at all. */

import { describe, expect, it } from 'vitest';
import {
  fieldsOf,
  keptMembers,
  offer,
  shownText,
  unread,
  writtenMember,
} from '../../src/dashboard/forms/fields.ts';
import type { OfferedField } from '../../src/dashboard/forms/fields.ts';
import { memberAt, withMember } from '../../src/dashboard/forms/members.ts';
import { shapeOf, skeletonOf } from '../../src/dashboard/forms/schema.ts';
import type { Schema } from '../../src/dashboard/forms/schema.ts';
import { layOut } from '../../src/dashboard/format/json.ts';

const pathOf = (...names: readonly string[]) => names.map((name) => ({ name, isRequired: false }));

/** Values whose text would not survive being parsed and written again. */
const odd = [
  '12345678901234567890',
  '1.50',
  '1e400',
  '-0',
  'null',
  '[1,{"a":[null,{}]}]',
  '{"b":1,"a":{"10":1,"9":2}}',
  String.raw`"\u0041 \"]},:[{ \\"`,
  '""',
  '{}',
  '[]',
];

/** Each field of the text by its label. */
const offeredIn = (schema: Schema, text: string): Record<string, OfferedField> =>
  Object.fromEntries((offer(fieldsOf(schema), text) ?? []).map((field) => [field.label, field]));

const writes = (schema: Schema, text: string, label: string, written: string): string => {
  const field = offeredIn(schema, text)[label];
  if (!field) throw new Error(`There is no field ${label}.`);
  return withMember(text, field.path, writtenMember(field, written)).replaceAll(/\n\s*/g, '');
};

describe('a member that is written', () => {
  it.each(odd)('leaves %s beside and around it as it is written', (raw) => {
    const text = `{"before":${raw},"at":{"before":${raw},"n":1,"after":${raw}},"__proto__":${raw},"9":${raw}}`;
    const expected = text.replace('"n":1', '"n":2');
    expect(withMember(text, pathOf('at', 'n'), '2')).toBe(layOut(expected));
    expect(withMember(text, pathOf('at', 'n'), undefined)).toBe(layOut(text.replace('"n":1,', '')));
  });

  it('makes the objects around it, and leaves none of them empty', () => {
    const made = withMember('{}', pathOf('customer', 'id'), '1');
    expect(JSON.parse(made)).toEqual({ customer: { id: 1 } });
    expect(withMember(made, pathOf('customer', 'id'), undefined)).toBe('{}');
    const required = [{ name: 'customer', isRequired: true }, ...pathOf('id')];
    expect(JSON.parse(withMember(made, required, undefined))).toEqual({ customer: {} });
  });

  it('is found below objects alone', () => {
    expect(memberAt('{"a":[1]}', pathOf('a', 'b'))).toBe(null);
    expect(memberAt('{"a":{"b":1.50}}', pathOf('a', 'b'))).toBe('1.50');
    expect(memberAt('{}', pathOf('a', 'b'))).toBe(undefined);
  });
});

const schema: Schema = {
  properties: {
    to: { type: 'string' },
    note: { type: ['string', 'null'] },
    count: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    kind: { enum: ['letter', 'parcel'] },
    urgent: { type: 'boolean' },
    address: { $ref: '#/$defs/address' },
    lines: { type: 'array' },
    either: { type: ['string', 'number'] },
  },
  required: ['to', 'address'],
  $defs: {
    address: { properties: { street: { type: 'string' } }, required: ['street'] },
  },
} as Schema;

describe('the fields of a schema', () => {
  it('are those of plain members, also of objects and behind references', () => {
    expect(Object.keys(offeredIn(schema, ''))).toEqual([
      'to',
      'note',
      'count',
      'kind',
      'urgent',
      'address.street',
    ]);
    expect(offer(fieldsOf(schema), '[1]')).toBe(undefined);
    expect(offer(fieldsOf(schema), '{"to":')).toBe(undefined);
  });

  it('end where a schema refers to itself', () => {
    const self = { properties: { name: { type: 'string' }, next: { $ref: '#' } } };
    expect(Object.keys(offeredIn(self, ''))).toEqual(['name', 'next.name', 'next.next.name']);
    expect(skeletonOf({ ...self, required: ['next'] })).toBeTypeOf('object');
  });

  it.each([
    ['"to":1', ['to']],
    [String.raw`"to":"a\r\nb"`, ['to']],
    ['"count":"7"', ['count']],
    ['"address":null', ['address.street']],
    ['"kind":{"of":1}', ['kind']],
  ])('leave what they could not show whole to the text: %s', (members, missing) => {
    const all = Object.keys(offeredIn(schema, ''));
    const found = Object.keys(offeredIn(schema, `{${members}}`));
    expect(all.filter((label) => !found.includes(label))).toEqual(missing);
  });

  it('write what was typed', () => {
    expect(writes(schema, '{"lines":[1.50]}', 'to', 'ada "the first"')).toBe(
      String.raw`{"lines": [1.50],"to": "ada \"the first\""}`,
    );
    expect(writes(schema, '{}', 'count', '12345678901234567890')).toBe(
      '{"count": 12345678901234567890}',
    );
    expect(writes(schema, '{}', 'kind', '"parcel"')).toBe('{"kind": "parcel"}');
    expect(writes(schema, '{}', 'address.street', 'a')).toBe('{"address": {"street": "a"}}');
  });

  it('write an emptied member as it can be empty', () => {
    expect(writes(schema, '{"to":"a"}', 'to', '')).toBe('{"to": ""}');
    expect(writes(schema, '{"note":null}', 'note', '')).toBe('{"note": null}');
    expect(writes(schema, '{"note":"a"}', 'note', '')).toBe('{"note": ""}');
    expect(writes(schema, '{}', 'note', '')).toBe('{}');
    expect(writes(schema, '{"count":1}', 'count', '')).toBe('{}');
    expect(writes(schema, '{"urgent":true}', 'urgent', '')).toBe('{}');
  });

  it('keep a text that is not a number, and say so', () => {
    const text = writes(schema, '{}', 'count', 'many');
    expect(text).toBe('{"count": "many"}');
    const fields = Object.values(offeredIn(schema, '{}'));
    expect(unread(fields, text)?.label).toBe('count');
    expect(unread(fields, '{"count":1}')).toBe(undefined);
  });

  it('show a member of another kind than its choices as it is', () => {
    const { kind } = offeredIn(schema, '{"kind":"crate"}');
    expect(kind && shownText(kind, '"crate"')).toBe('crate');
  });

  it('name what they do not show', () => {
    const text = '{"to":"a","lines":[1],"address":{"street":"b","floor":2},"more":null}';
    expect(keptMembers(offer(fieldsOf(schema), text) ?? [], text)).toEqual([
      'lines',
      'address.floor',
      'more',
    ]);
  });
});

describe('the shape of jobs', () => {
  it('has the members of half of them, and all of the own', () => {
    const jobs = [
      { to: 'a', at: { n: 1 } },
      { to: null, at: { n: 2, m: true } },
      { to: 'c', x: 1 },
    ];
    const labels = (own?: unknown) => fieldsOf(shapeOf(jobs, own) ?? {}).map(({ label }) => label);
    expect(labels()).toEqual(['to', 'at.n', 'at.m']);
    expect(labels({ y: 1, to: null })).toEqual(['y', 'to', 'at.n', 'at.m']);
    expect(shapeOf([[1], 'text', null])).toBe(undefined);
    expect(shapeOf([], [1])).toBe(undefined);
  });

  it('leaves members of several types to the text', () => {
    expect(fieldsOf(shapeOf([{ a: 1 }, { a: 'x' }]) ?? {})).toEqual([]);
    expect(fieldsOf(shapeOf([{ a: [1] }, { a: [] }]) ?? {})).toEqual([]);
  });

  it('takes names of any kind', () => {
    const own: unknown = JSON.parse('{"__proto__":"a","constructor":1,"a.b":true}');
    const text = '{"__proto__":"a","constructor":1,"a.b":true}';
    const shape = shapeOf([], own) ?? {};
    expect(Object.keys(offeredIn(shape, text))).toEqual(['__proto__', 'constructor', 'a.b']);
    expect(writes(shape, text, '__proto__', 'b')).toBe(
      '{"__proto__": "b","constructor": 1,"a.b": true}',
    );
  });
});
