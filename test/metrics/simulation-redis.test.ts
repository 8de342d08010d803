/** The simulated day on the store in Redis. */

import { simulationSuite } from './simulation-suite.ts';
import { redisWorld } from './worlds.ts';

simulationSuite('Redis', redisWorld);
