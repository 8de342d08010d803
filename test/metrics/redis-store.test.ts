/** The Redis store. */

import { storeSuite } from './store-suite.ts';
import { redisWorld } from './worlds.ts';

await storeSuite('Redis', redisWorld);
