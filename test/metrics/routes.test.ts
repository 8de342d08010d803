/** The history routes over HTTP on both stores. */

import { routesSuite } from './routes-suite.ts';
import { redisWorld, sqlWorld } from './worlds.ts';

routesSuite('Redis', redisWorld);
routesSuite('PostgreSQL', sqlWorld);
