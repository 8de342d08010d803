/** The simulated day on the store in PostgreSQL. */

import { simulationSuite } from './simulation-suite.ts';
import { sqlWorld } from './worlds.ts';

simulationSuite('PostgreSQL', sqlWorld);
