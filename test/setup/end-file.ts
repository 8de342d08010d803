/** Runs in every test file, so that shared modules end the file as well. */

import { afterAll } from 'vitest';
import { endFile } from '../after-file.ts';

afterAll(endFile);
