/**
 * The link of a state: `#/orders/customers?sort=name` for the texts of a preset, and texts that a person has changed
 * in place of its name, compressed.
 */

import { type Preset, presets } from './presets/index.ts';
import { readable } from '../../demo/page/request/query.ts';
import { type State, type World, maxText } from './state.ts';

/** Longest link that is read. Two texts of the greatest length that do not compress take less. */
const maxLink = 1_000_000;

/** A state, and why it is not that of the link. */
export interface Opened {
  readonly state: State;
  readonly problem?: string;
}

/** The preset whose texts are those of a state. */
export const presetOf = ({ tables, rules }: World): Preset | undefined =>
  presets.find((preset) => preset.tables === tables && preset.rules === rules);

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  transform: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  // A small link may unpack to any length: it is read as far as a link may be long.
  const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.length;
    if (length > maxLink) throw new Error('too long');
    parts.push(read.value);
  }
  return new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}

async function packed(world: World): Promise<string> {
  const text = JSON.stringify([world.tables, world.rules]);
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

async function unpacked(text: string): Promise<World> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const unpackedBytes = await through(bytes, new DecompressionStream('deflate-raw'));
  const found: unknown = JSON.parse(
    new TextDecoder('utf-8', { fatal: true }).decode(unpackedBytes),
  );
  const [tables, rules] = Array.isArray(found) ? (found as unknown[]) : [];
  if (typeof tables !== 'string' || typeof rules !== 'string') throw new Error('not two texts');
  if (Math.max(tables.length, rules.length) > maxText) throw new Error('too long');
  return { tables, rules };
}

/** The link of a state, from its `#` on. */
export async function linkOf(state: State): Promise<string> {
  const world = presetOf(state)?.name ?? `~${await packed(state)}`;
  const query = state.query === '' ? '' : `?${state.query}`;
  return `#/${world}/${encodeURIComponent(state.list)}${query}`;
}

/** The state of a preset, with its first request. */
export function stateOf({ tables, rules, requests: [first] }: Preset): State {
  return { tables, rules, list: first.list, query: first.query };
}

/** The state of a link; the first preset in place of one that cannot be read. */
export async function readLink(hash: string): Promise<Opened> {
  const instead = stateOf(presets[0]);
  if (hash === '' || hash === '#') return { state: instead };
  const refused = (why: string): Opened => ({
    state: instead,
    problem: `The link ${why}. The page shows the first example in its place.`,
  });
  if (hash.length > maxLink) return refused('is too long');
  const [, world, list = '', query = ''] =
    /^#\/([\w~-]+)(?:\/([^/?]*))?(?:\?(.*))?$/s.exec(hash) ?? [];
  if (world === undefined) return refused('is not one of this page');
  try {
    const preset = presets.find(({ name }) => name === world);
    if (!preset && !world.startsWith('~')) return refused('names an example that does not exist');
    const texts = preset ?? (await unpacked(world.slice(1)));
    const { tables, rules } = texts;
    return { state: { tables, rules, list: decodeURIComponent(list), query: readable(query) } };
  } catch {
    return refused('is incomplete or damaged');
  }
}
