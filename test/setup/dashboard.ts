/** Builds the files of the dashboard once per run, where they are older than their sources. */

import { buildDashboard } from '../../tools/build-dashboard.ts';

export const setup = (): Promise<void> => buildDashboard();
