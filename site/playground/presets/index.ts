/** The presets; the page begins with the first. */

import { orders } from './orders.ts';
import type { Preset } from './preset.ts';
import { projects } from './projects.ts';
import { usersAndPosts } from './users-and-posts.ts';

export type { Preset } from './preset.ts';
export const presets: readonly [Preset, ...Preset[]] = [usersAndPosts, orders, projects];
