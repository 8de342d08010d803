/** The mount suite on every framework. */

import { describe } from 'vitest';
import { hosts } from './hosts.ts';
import { nestHosts } from './nestjs-hosts.ts';
import { mountSuite } from './suite.ts';

describe.each([...hosts, ...nestHosts])('a board mounted in $name', (host) => {
  mountSuite(host);
});
